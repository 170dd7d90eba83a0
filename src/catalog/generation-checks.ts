import { findDamage, openDataset, withDatasets } from '../format/dataset.js';
import { FormatError } from '../format/format-error.js';
import { type Damage, describeDamage } from './catalog-error.js';
import type { ChangeCounts } from './dataset-admin.js';
import { countChanges, diffTracts } from './diff.js';

/** A generation to be looked over, by its directory. All of its files are read. */
export interface Check {
  readonly directory: string;
  /** One to compare it with. */
  readonly before?: string;
}

/** Errors lose their class between threads, so that expected ones travel as values. */
export interface CheckReply {
  /** Empty where all is as it was written. */
  readonly damage: readonly Damage[];
  /** How it differs from the one before. */
  readonly changes?: ChangeCounts;
}

/** Answers a check in this thread. */
export function runCheck({ directory, before }: Check): CheckReply {
  try {
    const damage = findDamage(directory);
    if (damage.length > 0) return { damage: damage.map(describeDamage) };
    if (before !== undefined) return { damage: [], changes: countDifferences(before, directory) };
    // Whether the parts fit together is worth a look only where each of them is whole.
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
