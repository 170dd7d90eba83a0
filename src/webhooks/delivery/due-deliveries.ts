import type { StateView } from '../../state/store.js';
import { statusRecords } from '../delivery-records.js';
import type { Owners } from '../owners.js';
import { subscriptionRecords } from '../subscription.js';
import type { Lane } from './lane.js';
import { type Pending, readPending } from './pending-deliveries.js';

export interface DueOptions {
  readonly owners: Pick<Owners, 'isOpen'>;
  readonly now: Date;
  /** The lane that serves a subscription; undefined if there is none. */
  readonly laneOf: (subscriptionId: number) => Lane | undefined;
  /** Whether any revision has changed since the lanes were last told of what is due. */
  readonly changed: boolean;
}

/** The pending work that may be delivered now, by subscription id. What else is pending waits. */
export function readDue(view: StateView, options: DueOptions): Map<number, Pending> {
  const due = readPending(view);
  for (const [id, { owner }] of due) {
    if (!mayDeliver(view, id, owner, options)) due.delete(id);
  }
  return due;
}

function mayDeliver(view: StateView, id: number, owner: string, { owners, now, laneOf, changed }: DueOptions): boolean {
  // Asked every time: keys expire without a write.
  if (!owners.isOpen(view, owner, now)) return false;
  const lane = laneOf(id);
  // All other reasons to stop a lane come with a new revision.
  if (lane && !changed) return true;
  const isActive = view.get(subscriptionRecords, [owner, id])?.subscription.active ?? false;
  return isActive && !(lane && isWoken(view, lane));
}

/**
 * Whether a maintainer's resume has ended the rest that a lane still observes. Such a lane must stop, too: another one then
 * begins without the rest.
 */
function isWoken(view: StateView, lane: Lane): boolean {
  // Otherwise the stored rest may be an older one.
  if (!lane.isSaved()) return false;
  return lane.restsUntil() !== view.get(statusRecords, [lane.subscriptionId])?.rest?.until;
}
