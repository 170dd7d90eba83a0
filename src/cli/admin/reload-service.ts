import type { AdminClient } from '../../admin/client.js';
import { printable } from '../../core/printable.js';
import { describeChanges } from '../../load/update/compare-datasets.js';
import { CliError } from '../cli-error.js';
import { toCliError, UnreachableError } from './call-error.js';
import { type Connection, type ConnectionValues, connect, DeniedTokenError, readConnection } from './connect.js';

/**
 * Makes the running service reload the published dataset; returns the outcome as a line. If no service runs, this is no
 * failure: the next one starts with the new dataset. Throws `CliError` if the service refuses or does not respond, or if
 * something else answers.
 */
export async function reloadService(values: ConnectionValues): Promise<string> {
  const config = readConnection(values);
  let plane: Connection;
  try {
    plane = connect(config);
  } catch (error) {
    // There is a service, or was; it is not known to be down.
    if (error instanceof DeniedTokenError) throw new CliError(`the reload failed: ${error.message}`, 1);
    if (error instanceof CliError) return notTold(error.message);
    throw error;
  }
  try {
    return printable(describe(await plane.ask((client) => client.datasets.reload.mutate({ dryRun: false }))));
  } catch (error) {
    const failure = toCliError(error, plane);
    if (failure instanceof UnreachableError) return notTold(failure.problem);
    // The dataset is published at this point: the message must not read as if nothing had come of the update.
    throw failure instanceof CliError ? new CliError(`the reload failed: ${failure.message}`, 1) : failure;
  }
}

type Reload = Awaited<ReturnType<AdminClient['datasets']['reload']['mutate']>>;

function describe({ from, to, changed, changes }: Reload): string {
  if (!changed) return `${to} is already live in the service`;
  const tracts = changes === null ? '' : `; tracts: ${describeChanges(changes)}`;
  return `${to} is now live in the service${from === null ? '' : `, in place of ${from}`}${tracts}`;
}

function notTold(reason: string): string {
  return `No running service was reloaded (${reason}); the next one that starts opens the new dataset`;
}
