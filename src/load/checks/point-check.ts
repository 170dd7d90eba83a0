import { type LatLng, UNITS_PER_DEGREE } from '../../core/coordinates.js';
import { type Geoid, stateFipsOf } from '../../core/geoid.js';
import { obtain } from '../../core/obtain.js';
import { stateByFips } from '../../core/states.js';
import { boxOfRings } from '../../format/box.js';
import { InputError } from '../input.js';
import type { Outline } from '../intake/tract-rows.js';

/**
 * Of 79,604 tracts, 30 have their internal point outside the bounds of their cartographic outline, and in no state are
 * they more than 2 in 1,000: those points are in water, which such outlines omit.
 */
const MAX_SHARE = 0.05;
/** Fewer tracts than this prove nothing, however small the state. */
const FEW_TRACTS = 5;

/** Checks points in files against the outlines of their tracts, state by state. */
export interface PointCheck {
  add(outline: Outline, point: LatLng, files: PointFiles): void;
  /** Throws `InputError` naming the files whose points and outlines do not match. */
  finish(): void;
}

/** Labels of the files that a point and an outline come from; they may be the same file. */
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

/** `kind` says what the points are. Of 79,604 tracts, none has its center of population outside the bounds of its outline. */
export function createPointCheck(kind: 'internal points' | 'centers of population'): PointCheck {
  const counts = new Map<string, Count>();
  return {
    add: ({ geoid, rings }, point, files) => {
      const stateFips = stateFipsOf(geoid);
      const id = JSON.stringify([stateFips, files.ofPoint, files.ofOutline]);
      const count = obtain(counts, id, () => ({ ...files, stateFips, compared: 0, outside: 0, first: undefined }));
      count.compared++;
      if (!isOutOfBounds(point, rings)) return;
      count.outside++;
      count.first ??= geoid;
    },
    finish: () => {
      const faults = [...counts.values()].filter(
        ({ outside, compared }) => outside >= FEW_TRACTS && outside > compared * MAX_SHARE,
      );
      if (faults.length > 0) throw new InputError(faults.map((fault) => describe(fault, kind)).join('\n'));
    },
  };
}

function describe({ ofPoint, ofOutline, stateFips, compared, outside, first }: Count, kind: string): string {
  const files = ofPoint === ofOutline ? ofPoint : `${ofPoint}, ${ofOutline}`;
  const state = stateByFips(stateFips)?.name ?? stateFips;
  const what = `${outside} of ${compared} ${kind} of ${state} lie outside their tracts’ outlines, the first in ${first}`;
  return `${files}: ${what}; columns or rows of a file have probably shifted`;
}

function isOutOfBounds({ lat, lng }: LatLng, rings: readonly Int32Array[]): boolean {
  const [x, y] = [lng * UNITS_PER_DEGREE, lat * UNITS_PER_DEGREE];
  const [west, south, east, north] = boxOfRings(rings);
  return x < west || x > east || y < south || y > north;
}
