import fc from 'fast-check';
import type { LatLng } from '../../src/core/coordinates.js';
import { evenly } from './evenly.js';

/** Any degrees from `min` to `max`: spread evenly, or of any magnitude, most of which are small. */
export const degrees = (min: number, max: number): fc.Arbitrary<number> =>
  fc.oneof(evenly(min, max), fc.double({ min, max, noNaN: true }));

/** Whole tenths of degrees, so that points coincide and distances tie. */
const tenths = (min: number, max: number): fc.Arbitrary<number> =>
  fc.integer({ min: min * 10, max: max * 10 }).map((count) => count / 10);

/** Points within a rectangle, many of them on a coarse grid. */
export const pointIn = (south: number, north: number, west: number, east: number): fc.Arbitrary<LatLng> =>
  fc.record({
    lat: fc.oneof(degrees(south, north), tenths(south, north)),
    lng: fc.oneof(degrees(west, east), tenths(west, east)),
  });
