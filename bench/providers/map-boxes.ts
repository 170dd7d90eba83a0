import type { LatLngBox } from '../../src/core/coordinates.js';
import type { ProvidersFile } from '../../src/format/providers-file.js';
import { firstRowsInBox } from '../../src/query/around/rows-in-box.js';
import type { Ask } from '../client/job.js';

/** Number of places, requested in turn; the cache cannot hold the bodies of all of them. */
const PLACES = 400;
/** Boxes around each place, each a centimetre larger than the one before, so that no request repeats and hits the cache. */
const SIZES = 100;
const SIZE_STEP = 1e-7;
const DECIMALS = 7;
/** Half of the widest box that is tried, in degrees: if that has too few providers, no box has enough. */
const HALF_MAX = 90;
const SEA_BOXES = 40_000;

const ask = ({ west, south, east, north }: LatLngBox, limit: number): Ask => {
  const box = [west, south, east, north].map((edge) => edge.toFixed(DECIMALS)).join();
  return { method: 'GET', path: `/v1/providers/geojson?bbox=${box}&limit=${limit}` };
};

const around = (lat: number, lng: number, half: number): LatLngBox => ({
  west: lng - half,
  south: lat - half,
  east: lng + half,
  north: lat + half,
});

/** Requests with exactly `limit` features each, all different; consecutive ones are about places far from each other. */
export function askFullBoxes(providers: ProvidersFile, limit: number): Ask[] {
  const { lats, lngs, providerCount } = providers;
  const points = { lats, lngs, trees: providers.trees('all') };
  const places = Array.from({ length: PLACES }, (_, index) => {
    const row = Math.floor(((index + 0.5) * providerCount) / PLACES);
    const [lat = 0, lng = 0] = [lats[row], lngs[row]];
    // Grows the box until it holds `limit` providers.
    for (let half = 0.0005; half < HALF_MAX; half *= 1.2) {
      if (firstRowsInBox(points, around(lat, lng, half), limit).rows.length === limit) return { lat, lng, half };
    }
    throw new RangeError(`no box has ${limit} of ${providerCount} providers`);
  });
  return Array.from({ length: SIZES }, (_, size) =>
    places.map(({ lat, lng, half }) => ask(around(lat, lng, half + (size + 1) * SIZE_STEP), limit)),
  ).flat();
}

/** Requests of the same form for boxes in the sea, which have no features; all different. */
export function askSeaBoxes(limit: number): Ask[] {
  return Array.from({ length: SEA_BOXES }, (_, index) => ask(around(-40, -150, 1 + index * SIZE_STEP), limit));
}
