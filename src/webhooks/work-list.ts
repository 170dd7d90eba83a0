import type { Unsaved } from './delivery-journal.js';
import type { Work } from './work.js';

/** What one subscription is to be told, in its order. */
export interface WorkList {
  /** Whether it has this work already, or has done it without its being stored yet. */
  has(kind: Work['kind'], id: number): boolean;
  /** Dead letters go first, changes after those that are there. */
  add(work: Work): void;
  /** The work that is due; undefined where there is none. */
  first(): Work | undefined;
  /** Takes out the first, which is done; it is known until that is stored. */
  shift(): void;
  /** What is done and stored is known no more. */
  saved(unsaved: Pick<Unsaved, 'progress' | 'replayed'>): void;
}

export function createWorkList(): WorkList {
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
      for (const [id, reached] of progress) if (typeof reached === 'string') known.delete(nameOf('changes', id));
      for (const id of replayed.keys()) known.delete(nameOf('replay', id));
    },
  };
}

function nameOf(kind: Work['kind'], id: number): string {
  return `${kind} ${id}`;
}
