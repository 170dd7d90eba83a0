import { around } from 'geokdbush';
import KDBush from 'kdbush';
import { KM_PER_STATUTE_MILE, type LatLng } from '../../src/core/coordinates.js';
import { PROVIDER_KINDS, type ProviderType } from '../../src/core/provider-types.js';
import type { ProvidersFile } from '../../src/format/providers-file.js';
import { createRandom } from '../../src/load/synthetic/random.js';
import { pointsWithin } from '../../src/query/around/points-within.js';
import { microseconds } from '../lib/microseconds.js';
import { alternate, figure, ratioFigure } from '../lib/rounds.js';
import { type Figure, WrongAnswerError } from '../lib/suite.js';

const RADIUS_MILES = 5;
const LIMIT = 50;
const CENTERS = 1000;
const FILTERS: readonly ProviderType[] = ['pcp', 'urgent_care'];

/**
 * Radius searches for one type of provider, against geokdbush with a predicate on one tree of all providers. Throws
 * `WrongAnswerError` if the two find different totals.
 */
export async function measureRadius(providers: ProvidersFile): Promise<{ checks: string[]; figures: Figure[] }> {
  const { lats, lngs, types } = providers;
  const tree = new KDBush(lats.length);
  for (let row = 0; row < lats.length; row++) tree.add(lngs[row] ?? 0, lats[row] ?? 0);
  tree.finish();
  const centers = centersAmong(providers);
  const checks: string[] = [];
  const figures: Figure[] = [];
  for (const filter of FILTERS) {
    const points = { lats, lngs, trees: providers.trees(filter) };
    const type = PROVIDER_KINDS.indexOf(filter);
    const own = (center: LatLng): number =>
      pointsWithin(points, { center, radiusMiles: RADIUS_MILES, limit: LIMIT, offset: 0 }).total;
    const peer =
      (most: number) =>
      ({ lng, lat }: LatLng): number =>
        around(tree, lng, lat, most, RADIUS_MILES * KM_PER_STATUTE_MILE, (row) => types[row] === type).length;
    const counted = peer(Number.POSITIVE_INFINITY);
    const wrong = centers.find((center) => own(center) !== counted(center));
    if (wrong) throw new WrongAnswerError(`${filter}: another total than geokdbush at ${wrong.lat}, ${wrong.lng}`);
    checks.push(`${filter}: totals as geokdbush has them at ${centers.length} points`);
    const { kernel, total, page } = await alternate(
      [
        { name: 'kernel', run: () => microseconds(centers, own) },
        { name: 'total', run: () => microseconds(centers, counted) },
        { name: 'page', run: () => microseconds(centers, peer(LIMIT)) },
      ],
      { rounds: 5, warmUps: 1 },
    );
    const label = `${RADIUS_MILES} mi of ${lats.length / 1e6} million, ${filter}`;
    figures.push(
      figure(`${label}, kernel with total`, 'µs', kernel),
      figure(`${label}, geokdbush with total`, 'µs', total),
      figure(`${label}, geokdbush, the first ${LIMIT} without total`, 'µs', page),
      ratioFigure(`${label}, geokdbush : kernel`, total, kernel, { sign: '≥', bound: 5 }),
      ratioFigure(`${label}, geokdbush without total : kernel`, page, kernel, 'more'),
    );
  }
  return { checks, figures };
}

/** Random points near providers, where people ask. */
function centersAmong({ lats, lngs }: ProvidersFile): LatLng[] {
  const random = createRandom(2, 'providers', 'centers');
  return Array.from({ length: CENTERS }, () => {
    const row = Math.floor(random.next() * lats.length);
    const beside = (): number => (random.next() - 0.5) * 0.04;
    return { lat: (lats[row] ?? 0) + beside(), lng: (lngs[row] ?? 0) + beside() };
  });
}
