import { ownActor, recordAudit } from '../audit/audit-log.js';
import { type RestoreSummary, restoreState } from '../state/restore.js';

/** Restores a state, whose audit log then says so. Throws what {@link restoreState} does. */
export function restoreWithEntry(path: string, directory: string, now: Date): Promise<RestoreSummary> {
  return restoreState(path, directory, now, (transaction, { records, createdAt }) => {
    const after = { backupOf: createdAt, records };
    const facts = { action: 'state.restore', target: null, before: null, after };
    recordAudit(transaction, { actor: ownActor('restore'), ...facts }, now);
  });
}
