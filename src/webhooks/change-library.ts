import { type Changes, openChanges } from './changes.js';
import type { ChangeSet } from './delivery-records.js';

/** Change sets that are being told, each opened once for all subscriptions. */
export interface ChangeLibrary {
  /** Throws what {@link openChanges} throws. */
  open(id: number, changeSet: ChangeSet): Changes;
  /** Closes those that nobody needs any more. None of their events may be asked for afterwards. */
  keep(isNeeded: (id: number) => boolean): void;
}

export function createChangeLibrary(datasetsDir: string): ChangeLibrary {
  const opened = new Map<number, Changes>();
  return {
    open: (id, { from, to }) => {
      const changes = opened.get(id) ?? openChanges(datasetsDir, from, to);
      opened.set(id, changes);
      return changes;
    },
    keep: (isNeeded) => {
      for (const [id, changes] of opened) {
        if (isNeeded(id)) continue;
        opened.delete(id);
        changes.release();
      }
    },
  };
}
