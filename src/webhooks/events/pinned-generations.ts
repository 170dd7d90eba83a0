import type { StateStore } from '../../state/store.js';
import { announcedRecords, changeSetRecords, cursorRecords } from '../delivery-records.js';
import { lostOwners, type Owners } from '../owners.js';

export interface PinnedDependencies {
  readonly state: StateStore;
  readonly owners: Pick<Owners, 'isLost'>;
}

/**
 * The generations that pending deliveries need, and the one that the next change will be compared with. Subscriptions whose
 * key is lost for good pin nothing. Rejects with a StateError.
 */
export function readPinnedGenerations({ state, owners }: PinnedDependencies): Promise<ReadonlySet<string>> {
  return state.read((view) => {
    const pinned = new Set<string>();
    const announced = view.get(announcedRecords, ['generation']);
    if (announced !== undefined) pinned.add(announced);
    const isLost = lostOwners(owners, view);
    const waiting = new Set<number>();
    for (const { key, value } of view.range(cursorRecords)) if (!isLost(value.owner)) waiting.add(key[1]);
    for (const changeSetId of waiting) {
      const changeSet = view.get(changeSetRecords, [changeSetId]);
      if (!changeSet) continue;
      pinned.add(changeSet.to);
      if (changeSet.from !== null) pinned.add(changeSet.from);
    }
    return pinned;
  });
}
