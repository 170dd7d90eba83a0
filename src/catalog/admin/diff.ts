import { SECTIONS, type Section } from '../../core/metrics.js';
import { absentSectionHashes, HASH_NUMBERS } from '../../format/section-hashes.js';
import type { HashedTracts } from '../../format/tracts-file.js';
import type { ChangeCounts } from './dataset-admin.js';

/**
 * The tracts in which two generations differ, in ascending order of GEOIDs. Columns of equal length, which can be posted
 * between threads.
 */
export interface TractDiff {
  /** GEOIDs as integers. */
  readonly geoids: Float64Array;
  /** Which sections differ: bit i stands for the i-th of SECTIONS. For an added or removed tract, the sections it has. */
  readonly sections: Uint8Array;
  /** The tract's row in the generation before; −1 for an added tract. */
  readonly rowsBefore: Int32Array;
  /** The tract's row in the generation after; −1 for a removed tract. */
  readonly rowsAfter: Int32Array;
}

const ABSENT = absentSectionHashes();

/** Compares the hashes of all tracts' sections: O(tracts), a few milliseconds for the nation. */
export function diffTracts(before: HashedTracts, after: HashedTracts): TractDiff {
  const found = createFound(before.geoids.length + after.geoids.length);
  let rowBefore = 0;
  let rowAfter = 0;
  while (rowBefore < before.geoids.length || rowAfter < after.geoids.length) {
    const geoidBefore = before.geoids[rowBefore] ?? Number.POSITIVE_INFINITY;
    const geoidAfter = after.geoids[rowAfter] ?? Number.POSITIVE_INFINITY;
    if (geoidBefore === geoidAfter) {
      const sections = differing(before.sectionHashes, rowBefore, after.sectionHashes, rowAfter);
      if (sections !== 0) found.add(geoidAfter, sections, rowBefore, rowAfter);
      rowBefore++;
      rowAfter++;
    } else if (geoidBefore < geoidAfter) {
      found.add(geoidBefore, differing(before.sectionHashes, rowBefore, ABSENT, 0), rowBefore, -1);
      rowBefore++;
    } else {
      found.add(geoidAfter, differing(after.sectionHashes, rowAfter, ABSENT, 0), -1, rowAfter);
      rowAfter++;
    }
  }
  return found.finish();
}

/** A bit mask of the sections whose hashes differ. */
function differing(before: Uint32Array, rowBefore: number, after: Uint32Array, rowAfter: number): number {
  const [startBefore, startAfter] = [rowBefore * HASH_NUMBERS, rowAfter * HASH_NUMBERS];
  let sections = 0;
  for (let at = 0; at < HASH_NUMBERS; at++) {
    if (before[startBefore + at] !== after[startAfter + at]) sections |= 1 << (at >> 1);
  }
  return sections;
}

/** Collects differing rows in columns with room for at most `most` of them. */
function createFound(most: number) {
  const [geoids, sections] = [new Float64Array(most), new Uint8Array(most)];
  const [rowsBefore, rowsAfter] = [new Int32Array(most), new Int32Array(most)];
  let count = 0;
  return {
    add: (geoid: number, mask: number, rowBefore: number, rowAfter: number): void => {
      geoids[count] = geoid;
      sections[count] = mask;
      rowsBefore[count] = rowBefore;
      rowsAfter[count] = rowAfter;
      count++;
    },
    finish: (): TractDiff => ({
      geoids: geoids.slice(0, count),
      sections: sections.slice(0, count),
      rowsBefore: rowsBefore.slice(0, count),
      rowsAfter: rowsAfter.slice(0, count),
    }),
  };
}

/** How many tracts a diff holds, and in which sections they differ. */
export function countChanges({ sections, rowsBefore, rowsAfter }: TractDiff): ChangeCounts {
  const isNone = (row: number): boolean => row < 0;
  const addedTracts = rowsBefore.filter(isNone).length;
  const removedTracts = rowsAfter.filter(isNone).length;
  const bySection = SECTIONS.map((name, at): [Section, number] => [
    name,
    sections.filter((mask) => (mask & (1 << at)) !== 0).length,
  ]);
  return {
    changedTracts: sections.length - addedTracts - removedTracts,
    addedTracts,
    removedTracts,
    // The entries have exactly the sections as keys.
    bySection: Object.fromEntries(bySection) as Record<Section, number>,
  };
}
