import type { StateStore } from '../state/store.js';
import { type Actor, auditAround } from './audit-log.js';

/** What a change of the live generation says of itself, in one process or in several. */
export interface AuditedReload {
  /** What was live; null where nothing was. */
  readonly from: string | null;
  readonly to: string;
  readonly changed: boolean;
  /** What was published and not live, and is not published any more. */
  readonly withdrawn?: string | null;
  /** Nothing was published, and what is live is published again. */
  readonly mended?: boolean;
}

/** Records a reload or a rollback around the work itself, by whomever it was asked for. */
export function auditReload<T extends AuditedReload>(
  deps: { readonly state: StateStore; readonly now: () => Date },
  { actor, action }: { readonly actor: Actor; readonly action: 'datasets.reload' | 'datasets.rollback' },
  work: () => Promise<T>,
): Promise<T> {
  return auditAround(deps, { actor, action, target: null }, async () => {
    const result = await work();
    const { from, to, changed, withdrawn = null, mended = false } = result;
    const [published, instead] =
      withdrawn === null && !mended ? [{}, {}] : [{ published: withdrawn }, { published: to }];
    return {
      result,
      before: from === null && withdrawn === null ? null : { live: from, ...published },
      after: { live: to, ...instead, changed },
    };
  });
}
