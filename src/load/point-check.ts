import { type LatLng, UNITS_PER_DEGREE } from '../core/coordinates.js';
import type { Geoid } from '../core/geoid.js';
import { InputError } from './input.js';
import type { Outline, TractRow } from './model.js';
import type { Tally } from './tally.js';

/**
 * Of the nation's tracts 4 in 10,000 have their internal point outside of their cartographic outline's bounds: in water,
 * which such outlines leave out.
 */
const MAX_SHARE = 0.05;
/** So few say nothing of a file, however small it is. */
const FEW_ROWS = 5;

/** Holds the internal points that gazetteers give against the tracts' outlines, which other files give. */
export interface PointCheck {
  add(row: TractRow, tally: Tally, outline: Outline): void;
  /** Throws `InputError` naming the gazetteer whose rows and tracts do not belong together. */
  finish(): void;
}

interface Count {
  compared: number;
  outside: number;
  /** The first tract whose point is outside. */
  first: Geoid | undefined;
}

export function createPointCheck(): PointCheck {
  const counts = new Map<Tally, Count>();
  return {
    add: (row, tally, { rings }) => {
      const count = counts.get(tally) ?? { compared: 0, outside: 0, first: undefined };
      counts.set(tally, count);
      count.compared++;
      if (!isOutOfBounds(row, rings)) return;
      count.outside++;
      count.first ??= row.geoid;
    },
    finish: () => {
      for (const [{ file, product }, { compared, outside, first }] of counts) {
        if (outside < FEW_ROWS || outside <= compared * MAX_SHARE) continue;
        const what = `${outside} of ${compared} internal points lie outside of their tracts’ outlines, the first ${first}’s`;
        throw new InputError(`${file ?? product}: ${what}: columns or rows have slipped here or there`);
      }
    },
  };
}

function isOutOfBounds({ lat, lng }: LatLng, rings: readonly Int32Array[]): boolean {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (let at = 0; at + 1 < ring.length; at += 2) {
      const x = ring[at] ?? 0;
      const y = ring[at + 1] ?? 0;
      if (x < west) west = x;
      if (x > east) east = x;
      if (y < south) south = y;
      if (y > north) north = y;
    }
  }
  const [x, y] = [lng * UNITS_PER_DEGREE, lat * UNITS_PER_DEGREE];
  return x < west || x > east || y < south || y > north;
}
