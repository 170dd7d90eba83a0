import type { Geoid } from '../../core/geoid.js';
import { obtain } from '../../core/obtain.js';
import { boxOf, boxOfRings } from '../../format/box.js';
import { InputError } from '../input.js';
import type { Outline } from '../intake/tract-rows.js';

/** Finds outlines that several tracts have: no two tracts cover the same ground. */
export interface OutlineRepeats {
  /** `file` is the label of the file that the outline comes from. */
  add(outline: Outline, file: string): void;
  /** Throws `InputError` naming files and tracts. */
  finish(): void;
}

interface KnownOutline extends Outline {
  readonly file: string;
}

/** Two tracts with one outline, the smaller GEOID first. */
type Pair = readonly [KnownOutline, KnownOutline];

export function createOutlineRepeats(): OutlineRepeats {
  const byExtent = new Map<string, KnownOutline[]>();
  const pairs: Pair[] = [];
  return {
    add: ({ geoid, rings }, file) => {
      const added = { geoid, rings, file };
      const alike = obtain(byExtent, extentOf(rings), () => []);
      const same = alike.length > 0 ? alike.find((other) => verticesOf(other.rings) === verticesOf(rings)) : undefined;
      if (same) pairs.push(same.geoid < geoid ? [same, added] : [added, same]);
      else alike.push(added);
    },
    finish: () => {
      // Outlines come in no particular order.
      const [first] = pairs.sort(([a, b], [c, d]) => compare(a.geoid, c.geoid) || compare(b.geoid, d.geoid));
      if (first) throw new InputError(describe(first, pairs.length));
    },
  };
}

const compare = (a: Geoid, b: Geoid): number => Number(a > b) - Number(a < b);

function describe([one, other]: Pair, count: number): string {
  const files = one.file === other.file ? one.file : `${one.file}, ${other.file}`;
  const more = count > 1 ? `, and ${count - 1} more that of another tract` : '';
  const what = `tracts ${one.geoid} and ${other.geoid} have the same outline${more}`;
  return `${files}: ${what}; a shape was copied or rows have shifted, or one tract is there under two GEOIDs`;
}

type Rings = Outline['rings'];

/** What nearly no two outlines have in common. */
const extentOf = (rings: Rings): string =>
  [rings.reduce((sum, { length }) => sum + length, 0), ...boxOfRings(rings)].join(' ');

/** Equal for rings of the same vertices, wherever the rings begin and in whatever order they are. */
const verticesOf = (rings: Rings): string => rings.map(ringId).sort().join();

function ringId(ring: Int32Array): string {
  let [sumX, sumY] = [0, 0];
  // Without the last vertex, which repeats the first.
  for (let at = 0; at < ring.length - 2; at += 2) {
    sumX += ring[at] ?? 0;
    sumY += ring[at + 1] ?? 0;
  }
  return [ring.length, ...boxOf(ring), sumX, sumY].join(' ');
}
