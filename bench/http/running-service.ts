import { createRandom } from '../../src/load/synthetic/random.js';
import { WrongAnswerError } from '../lib/suite.js';
import type { TargetServer } from '../lib/target-server.js';
import { askOnce, unexpectedStatus } from './check.js';
import { valueAt } from './json-path.js';
import type { Place, World } from './world.js';

/** Large cities in all parts of the contiguous states. */
const CITIES: readonly (readonly [lat: number, lng: number])[] = [
  [40.71, -73.96],
  [34.05, -118.25],
  [41.85, -87.68],
  [29.76, -95.38],
  [33.45, -112.07],
  [39.96, -75.16],
  [29.43, -98.49],
  [32.78, -96.8],
  [37.33, -121.89],
  [30.27, -97.74],
  [39.96, -83.0],
  [35.23, -80.84],
  [39.77, -86.16],
  [47.6, -122.32],
  [39.74, -104.98],
  [38.9, -77.02],
  [36.17, -86.78],
  [35.47, -97.52],
  [42.34, -71.08],
  [45.52, -122.66],
  [36.17, -115.15],
  [35.15, -90.02],
  [38.25, -85.76],
  [43.05, -87.95],
  [35.11, -106.62],
  [33.75, -84.4],
  [39.1, -94.58],
  [44.97, -93.27],
  [40.76, -111.89],
  [46.88, -96.79],
];
const POINTS = 2000;
const SPREAD_DEGREES = 0.1;

/** The dataset that a running service answers from; `unknown` if it does not say so. */
export async function generationOfRunning({ url, headers }: TargetServer): Promise<string> {
  const response = await fetch(`${url}/health`, { headers });
  await response.body?.cancel();
  return response.headers.get('x-dataset-generation') ?? 'unknown';
}

/**
 * The world of a running service, whose dataset is not at hand: asks the service itself for the tracts at random points
 * around cities. Throws {@link WrongAnswerError} for any answer but 200 and 404, or if no point has a tract.
 */
export async function worldOfRunning(target: TargetServer, seed: number): Promise<World> {
  const random = createRandom(seed, 'running');
  const places: Place[] = [];
  for (let index = 0; index < POINTS; index++) {
    const [lat = 0, lng = 0] = CITIES[index % CITIES.length] ?? [];
    const shift = (degrees: number): number => Number((degrees + (random.next() * 2 - 1) * SPREAD_DEGREES).toFixed(5));
    const point = { lat: shift(lat), lng: shift(lng) };
    const path = `/v1/context?lat=${point.lat}&lng=${point.lng}`;
    const { status, body } = await askOnce(target, { method: 'GET', path });
    // The point lies in water, or in a state that is not loaded.
    if (status === 404) continue;
    if (status !== 200) throw unexpectedStatus(`GET ${target.url}${path}`, status, body);
    const geoid = valueAt(JSON.parse(body), 'tract.geoid');
    if (typeof geoid !== 'string') throw new WrongAnswerError(`GET ${target.url}${path} names no tract: ${body}`);
    places.push({ ...point, geoid });
  }
  if (places.length === 0)
    throw new WrongAnswerError(`${target.url} has no tract at any of ${POINTS} points in cities`);
  return { places, addresses: [] };
}
