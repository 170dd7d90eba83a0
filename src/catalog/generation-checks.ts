import { findDamage, openDataset, withDatasets } from '../format/dataset.js';
import { FormatError } from '../format/format-error.js';
import { type Damage, describeDamage } from './catalog-error.js';
import type { ChangeCounts } from './dataset-admin.js';
import { countChanges, diffTracts } from './diff.js';

/** A generation to be checked, given by its directory. All of its files are read. */
export interface Check {
  readonly directory: string;
  /** The directory of the generation to compare it with. */
  readonly before?: string;
}

/** Expected errors are returned as values, since errors lose their class between threads. */
export interface CheckReply {
  /** Empty if every checksum matches. */
  readonly damage: readonly Damage[];
  /** The differences from `before`, if that was given. */
  readonly changes?: ChangeCounts;
}

/** Runs a check in the calling thread. */
export function runCheck({ directory, before }: Check): CheckReply {
  try {
    const damage = findDamage(directory);
    if (damage.length > 0) return { damage: damage.map(describeDamage) };
    if (before !== undefined) return { damage: [], changes: countDifferences(before, directory) };
    // Opening checks that the files fit together, which is worth doing only once each of them is known to be intact.
    openDataset(directory).release();
    return { damage: [] };
  } catch (error) {
    if (error instanceof FormatError) return { damage: [describeDamage(error)] };
    throw error;
  }
}

function countDifferences(beforeDirectory: string, afterDirectory: string): ChangeCounts {
  return withDatasets(beforeDirectory, afterDirectory, (before, after) =>
    countChanges(diffTracts(before.tracts, after.tracts)),
  );
}
