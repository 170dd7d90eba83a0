import { obtain } from '../../core/obtain.js';
import type { ChangeSet } from '../delivery-records.js';
import { type Changes, openChanges } from './changes.js';

/** The change sets in delivery, each opened once for all subscriptions. */
export interface ChangeLibrary {
  /** Throws what {@link openChanges} throws. */
  open(id: number, changeSet: ChangeSet): Changes;
  /** Closes the change sets that are no longer needed. None of their events may be asked for afterwards. */
  keep(isNeeded: (id: number) => boolean): void;
}

export function createChangeLibrary(datasetsDir: string): ChangeLibrary {
  const opened = new Map<number, Changes>();
  return {
    open: (id, { from, to }) => obtain(opened, id, () => openChanges(datasetsDir, from, to)),
    keep: (isNeeded) => {
      for (const [id, changes] of opened) {
        if (isNeeded(id)) continue;
        opened.delete(id);
        changes.release();
      }
    },
  };
}
