import type { DatasetAdmin } from '../catalog/admin/dataset-admin.js';
import { CatalogError } from '../catalog/directory/catalog-error.js';
import type { Logger } from '../log.js';
import type { CountOccurrence } from '../tallies/occurrences.js';

/** A maintainer's operation that changes what is live. */
type Change = 'reload' | 'rollback';

/**
 * The same operations. Their reloads and rollbacks are counted by outcome, whoever asks for them; not what is given up
 * because the service stops.
 */
export function countingReloads<T extends DatasetAdmin>(admin: T, count: CountOccurrence): T {
  return observingChanges(admin, async (_what, work) => {
    try {
      const result = await work;
      count('reload-done');
      return result;
    } catch (error) {
      if (!isStopped(error)) count('reload-refused');
      throw error;
    }
  });
}

/** The same operations for the admin plane: the log gets its refused reloads and rollbacks, like those of a signal. */
export function loggingRefusals(admin: DatasetAdmin, logger: Logger): DatasetAdmin {
  return observingChanges(admin, (what, work) =>
    work.catch((error: unknown) => {
      // The plane itself logs what is unexpected.
      if (error instanceof CatalogError) logRefusal(error, logger, what);
      throw error;
    }),
  );
}

/** Logs that a reload or rollback was refused. */
export function logRefusal(error: CatalogError, logger: Logger, what: Change): void {
  const { code, message: reason } = error;
  logger[isStopped(error) ? 'info' : 'error']({ event: 'reload-refused', code, reason }, `the ${what} was refused`);
}

/**
 * The same operations, with reloads and rollbacks passed through `observe`. A dry run is to change nothing, so its outcome
 * is for its caller alone.
 */
function observingChanges<T extends DatasetAdmin>(
  admin: T,
  observe: <R>(what: Change, work: Promise<R>) => Promise<R>,
): T {
  return {
    ...admin,
    reload: (options) => (options?.dryRun ? admin.reload(options) : observe('reload', admin.reload(options))),
    rollback: () => observe('rollback', admin.rollback()),
  };
}

/** Whether something was refused because the service stops, which is no error. */
function isStopped(error: unknown): boolean {
  return error instanceof CatalogError && error.code === 'stopped';
}
