import { join } from 'node:path';
import { findDamage, openDataset } from '../format/dataset.js';
import { FormatError } from '../format/format-error.js';
import { readHashedTracts, TRACTS_FILE } from '../format/tracts-file.js';
import { type Damage, describeDamage } from './catalog-error.js';
import type { ChangeCounts } from './dataset-admin.js';
import { countChanges, diffTracts } from './diff.js';

/** A generation to be checked, given by its directory. All of its files are read. */
export interface Check {
  readonly directory: string;
  /** The directory of the generation to compare it with. */
  readonly before?: string;
  /** Whether to open it as well, which checks that its files fit together. Unnecessary if it is opened afterwards anyway. */
  readonly open: boolean;
}

/** Expected errors are returned as values, since errors lose their class between threads. */
export interface CheckReply {
  /** Empty if every checksum matches. */
  readonly damage: readonly Damage[];
  /** The differences from `before`, if that was given. */
  readonly changes?: ChangeCounts;
}

/** Runs a check in the calling thread. */
export function runCheck({ directory, before, open }: Check): CheckReply {
  try {
    const damage = findDamage(directory);
    if (damage.length > 0) return { damage: damage.map(describeDamage) };
    // Only once each of the files is known to be intact.
    if (open) openDataset(directory).release();
    return { damage: [], ...(before === undefined ? {} : { changes: countDifferences(before, directory) }) };
  } catch (error) {
    if (error instanceof FormatError) return { damage: [describeDamage(error)] };
    throw error;
  }
}

function countDifferences(before: string, after: string): ChangeCounts {
  const [one, other] = [readHashedTracts(join(before, TRACTS_FILE)), readHashedTracts(join(after, TRACTS_FILE))];
  return countChanges(diffTracts(one, other));
}
