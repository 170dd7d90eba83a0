import type { StateStore } from '../state/store.js';
import { type Actor, auditAround } from './audit-log.js';

/** The facts to audit about a reload or rollback, in one process or in several. */
export interface AuditedReload {
  /** The generation that was live; null if none was. */
  readonly from: string | null;
  readonly to: string;
  readonly changed: boolean;
  /** The generation that was published but not live, and has been withdrawn. */
  readonly withdrawn?: string | null;
  /** Whether nothing was published and the live generation has been published again. */
  readonly mended?: boolean;
}

/** Does the work of a reload or rollback and records it in the audit log, whoever the actor is. */
export function auditReload<T extends AuditedReload>(
  deps: { readonly state: StateStore; readonly now: () => Date },
  { actor, action }: { readonly actor: Actor; readonly action: 'datasets.reload' | 'datasets.rollback' },
  work: () => Promise<T>,
): Promise<T> {
  const audited = async () => {
    const result = await work();
    const { from, to, changed, withdrawn = null, mended = false } = result;
    const [published, instead] =
      withdrawn === null && !mended ? [{}, {}] : [{ published: withdrawn }, { published: to }];
    return {
      result,
      before: from === null && withdrawn === null ? null : { live: from, ...published },
      after: { live: to, ...instead, changed },
    };
  };
  // The way back from a bad dataset must be open also on a full disk, which that dataset may have filled.
  return auditAround(deps, { actor, action, target: null }, audited, { isUrgent: action === 'datasets.rollback' });
}
