import { TRPCClientError } from '@trpc/client';
import type { AdminClient } from '../../admin/client.js';
import { NoAnswerError } from '../../admin/fetch-within.js';
import { CliError } from '../cli-error.js';
import { type Connection, type ConnectionValues, connect, readConnection } from './connect.js';
import { nothingThere, refusedToken } from './refused.js';
import { rootCause } from './root-cause.js';
import { unanswered } from './unanswered.js';

/**
 * Makes the running service reload the published dataset; returns the outcome as a line. If no service runs, this is no
 * failure: the next one starts with the new dataset. Throws `CliError` if the service refuses or does not respond.
 */
export async function reloadService(values: ConnectionValues): Promise<string> {
  const config = readConnection(values);
  let plane: Connection;
  try {
    plane = connect(config, values);
  } catch (error) {
    if (error instanceof CliError) return notTold(error.message);
    throw error;
  }
  try {
    return describe(await plane.ask((client) => client.datasets.reload.mutate({ dryRun: false })));
  } catch (error) {
    if (!(error instanceof TRPCClientError)) throw error;
    if (error.cause instanceof NoAnswerError) throw unanswered(error.cause, plane.url);
    if (error.data?.code === 'UNAUTHORIZED') throw new CliError(`no service was told: ${refusedToken(plane)}`, 1);
    if (error.data?.code === 'NOT_FOUND' && !error.data.reason) throw nothingThere(plane, error.message);
    if (error.data) throw new CliError(`the service refused it: ${error.message}`, 1);
    return notTold(`the admin plane cannot be reached at ${plane.url}: ${rootCause(error)}`);
  }
}

type Reload = Awaited<ReturnType<AdminClient['datasets']['reload']['mutate']>>;

function describe({ from, to, changed, changes }: Reload): string {
  if (!changed) return `${to} is live in the service already`;
  const tracts = changes === null ? '' : `; ${changes.changedTracts} tracts changed`;
  return `The service answers from ${to} now${from === null ? '' : `, from ${from} before`}${tracts}`;
}

function notTold(reason: string): string {
  return `No running service was told (${reason}); one that starts takes the new dataset`;
}
