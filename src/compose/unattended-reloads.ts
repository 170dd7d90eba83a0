import { ownActor } from '../audit/audit-log.js';
import { auditReload } from '../audit/audit-reload.js';
import type { DatasetAdmin, ReloadResult } from '../catalog/admin/dataset-admin.js';
import { CatalogError } from '../catalog/directory/catalog-error.js';
import { describeError, type Logger } from '../log.js';
import type { StateStore } from '../state/store.js';
import { logRefusal } from './reload-outcomes.js';

/** What a reload needs that no maintainer waits for. */
export interface UnattendedReload {
  readonly admin: DatasetAdmin;
  readonly state: StateStore;
  readonly logger: Logger;
}

/** Reloads for a signal. Its sender cannot be given the outcome, so the log and the audit log get it. Never throws. */
export async function reloadOnSignal({ admin, state, logger }: UnattendedReload): Promise<void> {
  try {
    const { changed, renewed, to } = await auditOwn(state, 'signal', () => admin.reload());
    if (renewed)
      logger.info({ event: 'reload-renewed', generation: to }, 'the files of the live dataset were reopened');
    else if (!changed) {
      logger.info({ event: 'reload-unchanged', generation: to }, 'the published dataset is already live');
    }
  } catch (error) {
    if (error instanceof CatalogError) logRefusal(error, logger, 'reload');
    else logger.error(describeError(error), 'the dataset could not be reloaded');
  }
}

/**
 * Reloads for the watch, as which the audit log records it. Of a reload that is retried, the audit log gets only the first
 * attempt and the one that succeeds.
 */
export async function reloadPublished(
  { admin, state }: Omit<UnattendedReload, 'logger'>,
  again: boolean,
): Promise<void> {
  const audited = (work: () => Promise<ReloadResult>): Promise<ReloadResult> => auditOwn(state, 'watch', work);
  if (!again) {
    await audited(() => admin.reload());
    return;
  }
  // Recorded even if nothing has changed: some processes may have taken the generation in the first attempt.
  const result = await admin.reload();
  await audited(() => Promise.resolve(result));
}

function auditOwn(
  state: StateStore,
  cause: 'signal' | 'watch',
  work: () => Promise<ReloadResult>,
): Promise<ReloadResult> {
  return auditReload({ state, now: () => new Date() }, { actor: ownActor(cause), action: 'datasets.reload' }, work);
}
