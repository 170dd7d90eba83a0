import { type LatLng, UNITS_PER_DEGREE } from '../../core/coordinates.js';
import { SIDE_OFFSET_METRES } from '../../core/streets/street-line.js';
import type { SegmentRange, StreetSegment } from '../intake/street-segment.js';
import { clearStretch, type Stretch } from './clear-stretch.js';
import { type PostalPlan, type Town, TRACTS_PER_TOWN } from './postal-plan.js';
import { createRandom, type Random } from './random.js';
import { type Axis, at } from './rings.js';
import { streetName } from './street-names.js';

const STREETS_PER_TRACT = 4;
/** How many lines through a tract are tried for each street before the street is given up. */
const TRIES_PER_STREET = 6;

/** Addresses are offset from the street's line, and must still be in the street's tract. */
const CLEARANCE_METRES = SIDE_OFFSET_METRES + 5;
const MIN_LENGTH_METRES = 60;
const MAX_LENGTH_METRES = 1200;

const UNITS_PER_METRE = UNITS_PER_DEGREE / 111_195;

/** The span of house numbers on each side of a block: even on one side, odd on the other. */
const NUMBERS_PER_BLOCK = 98;
const MAX_BLOCK = 40;
const ONE_SIDED_SHARE = 0.1;

/**
 * Generates fictional streets for the tracts of a county, in order: up to four per tract, each a single segment that lies
 * within its tract, both sides included. A tract that is too narrow has none. They depend only on seed, county and outlines.
 */
export function layStreets(
  countyFips: string,
  outlines: readonly (readonly Int32Array[])[],
  plan: PostalPlan,
  seed: number,
): StreetSegment[][] {
  const random = createRandom(seed, countyFips, 'streets');
  return outlines.map((rings, tract) => {
    const town = plan.townOf(countyFips, tract);
    const streets: StreetSegment[] = [];
    for (let street = 0; street < STREETS_PER_TRACT; street++) {
      const line = findLine(rings, street % 2 === 0 ? 'x' : 'y', random);
      if (!line) continue;
      const name = streetName((tract % TRACTS_PER_TOWN) * STREETS_PER_TRACT + street, Number(town.zip));
      streets.push({
        street: name,
        city: town.city,
        stateFips: countyFips.slice(0, 2),
        ...line,
        ...sides(town, random),
      });
    }
    return streets;
  });
}

type Line = Pick<StreetSegment, 'from' | 'to'>;

/** A piece of a random parallel (axis x) or meridian (axis y) such that both sides of the street are within the tract. */
function findLine(rings: readonly Int32Array[], axis: Axis, random: Random): Line | undefined {
  const { low, high } = spanOf(rings, axis === 'x' ? 'y' : 'x');
  const metre = { y: UNITS_PER_METRE, x: UNITS_PER_METRE / Math.cos((middleLat(rings) * Math.PI) / 180) };
  for (let attempt = 0; attempt < TRIES_PER_STREET; attempt++) {
    const where = Math.round(low + (high - low) * random.next());
    const clear = clearStretch(rings, axis, where, CLEARANCE_METRES * metre[axis === 'x' ? 'y' : 'x']);
    const street = clear && cut(clear, metre[axis], random);
    if (!street) continue;
    const ends = [street.from, street.to].map((along) =>
      axis === 'x' ? toLatLng(along, where) : toLatLng(where, along),
    );
    const [from, to] = random.next() < 0.5 ? ends : ends.toReversed();
    if (from && to) return { from, to };
  }
  return undefined;
}

const toLatLng = (x: number, y: number): LatLng => ({ lat: y / UNITS_PER_DEGREE, lng: x / UNITS_PER_DEGREE });

/** A random piece of the stretch, away from its ends; undefined if the stretch is too short for a street. */
function cut({ from, to }: Stretch, unitsPerMetre: number, random: Random): Stretch | undefined {
  const room = to - from - 2 * CLEARANCE_METRES * unitsPerMetre;
  if (room < MIN_LENGTH_METRES * unitsPerMetre) return undefined;
  const length = Math.min(room, MAX_LENGTH_METRES * unitsPerMetre) * (0.6 + 0.4 * random.next());
  const start = from + CLEARANCE_METRES * unitsPerMetre + (room - length) * random.next();
  return { from: Math.round(start), to: Math.round(start + length) };
}

/** The address ranges of both sides, ascending or descending; some streets have houses on one side only. */
function sides({ zip }: Town, random: Random): Pick<StreetSegment, 'left' | 'right'> {
  const first = 100 * (1 + Math.floor(random.next() * MAX_BLOCK));
  const descends = random.next() < 0.5;
  const range = (low: number): SegmentRange => {
    const high = low + NUMBERS_PER_BLOCK;
    return descends ? { from: high, to: low, zip } : { from: low, to: high, zip };
  };
  const [even, odd] = [range(first), range(first + 1)];
  const oneSided = random.next() < ONE_SIDED_SHARE;
  return { left: odd, right: oneSided ? undefined : even };
}

function spanOf(rings: readonly Int32Array[], axis: Axis): { low: number; high: number } {
  let [low, high] = [Infinity, -Infinity];
  for (const ring of rings) {
    for (let i = axis === 'x' ? 0 : 1; i < ring.length; i += 2) {
      low = Math.min(low, at(ring, i));
      high = Math.max(high, at(ring, i));
    }
  }
  return { low, high };
}

/** The latitude at which metres are converted to degrees; accurate enough for the whole tract. */
function middleLat(rings: readonly Int32Array[]): number {
  const { low, high } = spanOf(rings, 'y');
  return (low + high) / 2 / UNITS_PER_DEGREE;
}
