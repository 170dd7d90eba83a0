import { ownActor, recordAudit } from '../audit/audit-log.js';
import { type RestoreSummary, restoreState } from '../state/restore.js';

/** Restores a state, and records that in its audit log. Throws the errors of {@link restoreState}. */
export function restoreWithEntry(path: string, directory: string, now: Date): Promise<RestoreSummary> {
  return restoreState(path, directory, now, (transaction, { records, createdAt }) => {
    const after = { backupOf: createdAt, records };
    const facts = { action: 'state.restore', target: null, before: null, after };
    recordAudit(transaction, { actor: ownActor('restore'), ...facts }, now);
  });
}
