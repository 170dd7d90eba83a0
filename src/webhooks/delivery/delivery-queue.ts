import { isOver, type Unsaved } from './delivery-account.js';
import type { Work } from './delivery-work.js';

/** The queue of work for one subscription. */
export interface DeliveryQueue {
  /** Whether the work is queued, or done but not stored yet. */
  has(kind: Work['kind'], id: number): boolean;
  /** Replayed dead letters go before all changes; within each kind, work is first in, first out. */
  add(work: Work): void;
  /** The work at the head of the queue; undefined if the queue is empty. */
  first(): Work | undefined;
  /** Removes the finished work at the head; {@link DeliveryQueue.has} still reports it until its progress is stored. */
  shift(): void;
  /** Forgets the finished work whose progress is now stored. */
  saved(unsaved: Pick<Unsaved, 'progress' | 'replayed'>): void;
}

export function createDeliveryQueue(): DeliveryQueue {
  const queue: Work[] = [];
  const known = new Set<string>();
  return {
    has: (kind, id) => known.has(nameOf(kind, id)),
    add: (work) => {
      known.add(nameOf(work.kind, work.id));
      const changesAt = queue.findIndex(({ kind }) => kind === 'changes');
      if (work.kind === 'replay' && changesAt >= 0) queue.splice(changesAt, 0, work);
      else queue.push(work);
    },
    first: () => queue[0],
    shift: () => void queue.shift(),
    saved: ({ progress, replayed }) => {
      for (const [id, reached] of progress) if (isOver(reached)) known.delete(nameOf('changes', id));
      for (const id of replayed.keys()) known.delete(nameOf('replay', id));
    },
  };
}

function nameOf(kind: Work['kind'], id: number): string {
  return `${kind} ${id}`;
}
