import { openDataset } from '../../format/dataset.js';
import { FormatError } from '../../format/format-error.js';
import { type HashedTracts, readHashedTracts } from '../../format/tracts-file.js';
import { type Damage, describeDamage } from '../directory/catalog-error.js';
import { findGenerationDamage } from '../directory/generation-name.js';
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
  /** The differences from `before`, if that was given and can be read. */
  readonly changes?: ChangeCounts;
}

/** Runs a check in the calling thread. */
export function runCheck({ directory, before, open }: Check): CheckReply {
  try {
    const damage = findGenerationDamage(directory);
    if (damage.length > 0) return { damage: damage.map(describeDamage) };
    // Only once each of the files is known to be intact.
    if (open) openDataset(directory).release();
    const changes = before === undefined ? undefined : countDifferences(before, directory);
    return { damage: [], ...(changes && { changes }) };
  } catch (error) {
    if (error instanceof FormatError) return { damage: [describeDamage(error)] };
    throw error;
  }
}

function countDifferences(before: string, after: string): ChangeCounts | undefined {
  const earlier = readEarlier(before);
  return earlier && countChanges(diffTracts(earlier, readHashedTracts(after)));
}

/** Undefined if the tracts cannot be read: damage of the earlier generation must not keep an intact one from replacing it. */
function readEarlier(directory: string): HashedTracts | undefined {
  try {
    return readHashedTracts(directory);
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}
