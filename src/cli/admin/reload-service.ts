import { TRPCClientError } from '@trpc/client';
import { CliError } from '../cli-error.js';
import { type ConnectionValues, connect, readConfig } from './connect.js';

/**
 * Has the running service take the published dataset; says in a line what came of it. That none runs is no failure: the
 * next one starts with the new dataset. Throws `CliError` where the service refuses it.
 */
export async function reloadService(values: ConnectionValues): Promise<string> {
  try {
    const { client } = connect(readConfig(values));
    const { from, to, changed, changes } = await client.datasets.reload.mutate({ dryRun: false });
    if (!changed) return `${to} is live in the service already`;
    const tracts = changes === null ? '' : `; ${changes.changedTracts} tracts changed`;
    return `The service answers from ${to} now${from === null ? '' : `, from ${from} before`}${tracts}`;
  } catch (error) {
    if (error instanceof TRPCClientError && error.data)
      throw new CliError(`the service refused it: ${error.message}`, 1);
    if (error instanceof TRPCClientError || (error instanceof CliError && error.exitCode === 1)) {
      return `No running service was told (${error.message}); one that starts takes the new dataset`;
    }
    throw error;
  }
}
