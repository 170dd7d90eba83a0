import { basename } from 'node:path';
import { findDamage, openDataset } from '../format/dataset.js';
import { FormatError } from '../format/format-error.js';
import type { ChangeCounts, Damage } from './dataset-admin.js';
import { countChanges, diffTracts } from './diff.js';

/** What is asked of whole generations, by their directories. Each reads all of a column, or of all files. */
export type Check =
  | { readonly kind: 'verify'; readonly directory: string }
  | { readonly kind: 'compare'; readonly before: string; readonly after: string };

/** Errors lose their class between threads, so that expected ones travel as values. */
export interface CheckReply {
  /** Empty where all is as it was written. */
  readonly damage: readonly Damage[];
  /** Of a comparison without damage. */
  readonly changes?: ChangeCounts;
}

/** Answers a check in this thread. */
export function runCheck(check: Check): CheckReply {
  try {
    if (check.kind === 'compare') return { damage: [], changes: countDifferences(check.before, check.after) };
    const damage = findDamage(check.directory);
    // Whether the parts fit together is worth a look only where each of them is whole.
    if (damage.length === 0) openDataset(check.directory).release();
    return { damage: damage.map(describeDamage) };
  } catch (error) {
    if (error instanceof FormatError) return { damage: [describeDamage(error)] };
    throw error;
  }
}

/** A file's error without the path above its generation. */
export function describeDamage({ code, file, section, detail }: FormatError): Damage {
  const name = basename(file);
  const where = section === undefined ? name : `${name}, section ${section}`;
  return { code, file: name, section: section ?? null, message: `${where}: ${detail}` };
}

function countDifferences(beforeDirectory: string, afterDirectory: string): ChangeCounts {
  const before = openDataset(beforeDirectory);
  try {
    const after = openDataset(afterDirectory);
    try {
      return countChanges(diffTracts(before.tracts, after.tracts));
    } finally {
      after.release();
    }
  } finally {
    before.release();
  }
}
