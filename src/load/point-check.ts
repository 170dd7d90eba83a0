import { type LatLng, UNITS_PER_DEGREE } from '../core/coordinates.js';
import { type Geoid, stateFipsOf } from '../core/geoid.js';
import { stateByFips } from '../core/states.js';
import { InputError } from './input.js';
import type { Outline } from './model.js';

/**
 * Of 79,604 tracts 30, and of no state's more than 2 in 1,000, have their internal point outside of their cartographic
 * outline's bounds: in water, which such outlines leave out.
 */
const MAX_SHARE = 0.05;
/** So few say nothing of a state, however small it is. */
const FEW_TRACTS = 5;

/** Holds the internal points that files give against the tracts' outlines, state by state. */
export interface PointCheck {
  add(outline: Outline, point: LatLng, files: PointFiles): void;
  /** Throws `InputError` naming the files whose points and outlines do not belong together. */
  finish(): void;
}

/** As people are shown them; they may be one. */
export interface PointFiles {
  readonly ofPoint: string;
  readonly ofOutline: string;
}

interface Count extends PointFiles {
  readonly stateFips: string;
  compared: number;
  outside: number;
  /** The first tract whose point is outside. */
  first: Geoid | undefined;
}

export function createPointCheck(): PointCheck {
  const counts = new Map<string, Count>();
  return {
    add: ({ geoid, rings }, point, files) => {
      const stateFips = stateFipsOf(geoid);
      const id = JSON.stringify([stateFips, files.ofPoint, files.ofOutline]);
      const count = counts.get(id) ?? { ...files, stateFips, compared: 0, outside: 0, first: undefined };
      counts.set(id, count);
      count.compared++;
      if (!isOutOfBounds(point, rings)) return;
      count.outside++;
      count.first ??= geoid;
    },
    finish: () => {
      const faults = [...counts.values()].filter(
        ({ outside, compared }) => outside >= FEW_TRACTS && outside > compared * MAX_SHARE,
      );
      if (faults.length > 0) throw new InputError(faults.map(describe).join('\n'));
    },
  };
}

function describe({ ofPoint, ofOutline, stateFips, compared, outside, first }: Count): string {
  const files = ofPoint === ofOutline ? ofPoint : `${ofPoint}, ${ofOutline}`;
  const state = stateByFips(stateFips)?.name ?? stateFips;
  const what = `${outside} of ${compared} internal points of ${state} lie outside of their tracts’ outlines, the first ${first}’s`;
  return `${files}: ${what}: columns or rows have slipped`;
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
