import type { LatLng } from '../../src/core/coordinates.js';
import type { Random } from '../../src/load/synthetic/random.js';
import type { Ask } from '../client/job.js';
import { varyingPath } from '../client/laps.js';
import { beside, type KnownAddress, type Place, type World } from './world.js';

/** A request with the values that its answer must hold, by dotted path; computed only if the answer is checked. */
export interface KnownAsk extends Ask {
  readonly expected: () => Readonly<Record<string, unknown>>;
}

/** Decimals of a degree. The last three, which change with each lap, span about a metre. */
const DECIMALS = 8;

/** One kind of request. */
export interface Endpoint {
  readonly name: string;
  /** Whether its requests can differ from each other; `/health` has only one. */
  readonly varies: boolean;
  /** Whether the world has what its requests need, such as addresses. */
  readonly possible: (world: World) => boolean;
  /** Makes a request about this place, or about others that it draws at random. */
  readonly ask: (world: World, place: Place, random: Random) => KnownAsk;
}

const get = (path: string, expected: KnownAsk['expected'] = () => ({})): KnownAsk => ({
  method: 'GET',
  path,
  expected,
});
/** A request about a point that each lap shifts by a metre at most, so that no request comes twice. */
const getAt = (before: string, { lat, lng }: LatLng, after: string, expected: KnownAsk['expected']): KnownAsk => ({
  method: 'GET',
  ...varyingPath(`${before}?lng=${lng}&lat=`, lat.toFixed(DECIMALS), after),
  expected,
});
const pick = <T>(list: readonly T[], random: Random): T | undefined => list[Math.floor(random.next() * list.length)];
const endpoint = (name: string, ask: Endpoint['ask'], options: Partial<Endpoint> = {}): Endpoint => ({
  name,
  ask,
  varies: true,
  possible: () => true,
  ...options,
});
const fixed = (path: string, expected: Readonly<Record<string, unknown>>): Endpoint =>
  endpoint(path, () => get(path, () => expected), { varies: false });
const withAddresses = { possible: ({ addresses }: World): boolean => addresses.length > 0 };

export const TRACT = endpoint('tracts/{geoid}', (_world, { geoid }) =>
  get(`/v1/tracts/${geoid}`, () => ({ geoid, state_fips: geoid.slice(0, 2) })),
);
export const CONTEXT = endpoint('context, point', (_world, place, random) =>
  getAt('/v1/context', beside(place, random), '', () => ({ 'tract.geoid': place.geoid, narrative: null })),
);
export const NEARBY = nearby('nearby, 5 miles, limit 25', 5, 25);
/** The costliest search that the contract allows. */
export const NEARBY_WIDEST = nearby('nearby, 50 miles, limit 100', 50, 100);
export const RANKINGS = endpoint('demographics/compare', (_world, { geoid }) =>
  get(`/v1/demographics/compare?geoid=${geoid}`, () => ({ geoid, 'rankings.0.metric': 'total_population' })),
);

/** A request for the context of an address. */
export const askAbout = ({ text, geoid }: KnownAddress): KnownAsk =>
  get(`/v1/context?address=${encodeURIComponent(text)}`, () => ({ 'tract.geoid': geoid, narrative: null }));

/** Every endpoint that answers from the dataset, and `/health`. */
export const ENDPOINTS: readonly Endpoint[] = [
  TRACT,
  CONTEXT,
  NEARBY,
  RANKINGS,
  endpoint('compare, two tracts', ({ places }, { geoid }, random) => {
    const other = pick(places, random)?.geoid ?? geoid;
    return get(`/v1/compare?geoid1=${geoid}&geoid2=${other}`, () => ({ 'a.geoid': geoid, 'b.geoid': other }));
  }),
  endpoint('compare, with the county', (_world, { geoid }) =>
    get(`/v1/compare?geoid1=${geoid}&compare_to=county`, () => ({ 'a.geoid': geoid, 'b.type': 'county_average' })),
  ),
  endpoint('trends', (_world, { geoid }) => get(`/v1/trends?geoid=${geoid}`, () => ({ geoid }))),
  endpoint('providers, 5 miles, limit 50', ({ scan }, place, random) => {
    const center = beside(place, random);
    return getAt('/v1/providers', center, '', () => {
      const total = scan?.providersAround(center, 5);
      return { offset: 0, limit: 50, ...(total !== undefined && { total, count: Math.min(50, total) }) };
    });
  }),
  endpoint('providers/geojson', ({ scan }, place, random) => {
    const { lat, lng } = beside(place, random);
    const north = (lat + 0.05).toFixed(DECIMALS);
    const box = { west: lng - 0.05, south: lat - 0.05, east: lng + 0.05, north: Number(north) };
    const before = `/v1/providers/geojson?limit=100&bbox=${box.west},${box.south},${box.east},`;
    const expected = () => collectionOf(scan?.providersInBox(box), 'npi', 100);
    return { method: 'GET', ...varyingPath(before, north, ''), expected };
  }),
  endpoint('tracts/geojson, 2 miles', ({ scan }, place, random) => {
    const center = beside(place, random);
    const expected = () => collectionOf(scan?.tractsAround(center, 2).toSorted(), 'geoid', 500);
    return getAt('/v1/tracts/geojson', center, '&radius=2', expected);
  }),
  endpoint(
    'context, address',
    ({ addresses }, _place, random) => {
      const address = pick(addresses, random);
      if (!address) throw new Error('there is no address to ask about');
      return askAbout(address);
    },
    withAddresses,
  ),
  endpoint(
    'batch, 10 addresses',
    ({ addresses }, _place, random) => {
      const asked = Array.from({ length: 10 }, () => pick(addresses, random));
      const expected = { total: 10, succeeded: 10, 'results.9.address': asked[9]?.text };
      return {
        method: 'POST',
        path: '/v1/batch',
        body: JSON.stringify({ addresses: asked.map((address) => address?.text) }),
        expected: () => expected,
      };
    },
    withAddresses,
  ),
  fixed('/v1/dictionary', { 'categories.0.category': 'demographics' }),
  fixed('/v1/stats', { offset: 0 }),
  fixed('/health', { status: 'ok', database: 'connected' }),
];

function nearby(name: string, radiusMiles: number, limit: number): Endpoint {
  return endpoint(name, ({ scan }, place, random) => {
    const center = beside(place, random);
    return getAt('/v1/nearby', center, `&radius=${radiusMiles}&limit=${limit}`, () => {
      const geoids = scan?.tractsAround(center, radiusMiles);
      if (!geoids) return { offset: 0, limit };
      return { total: geoids.length, count: Math.min(limit, geoids.length), 'tracts.0.geoid': geoids[0] };
    });
  });
}

/** What a collection of at most `limit` features holds, if those that there are and the name of their id are known. */
function collectionOf(
  ids: readonly (string | null)[] | undefined,
  idName: string,
  limit: number,
): Record<string, unknown> {
  const type = 'FeatureCollection';
  if (!ids) return { type };
  const count = Math.min(limit, ids.length);
  return {
    type,
    'features.length': count,
    ...(count > 0 && { [`features.0.properties.${idName}`]: ids[0] }),
    ...(ids.length > limit && { truncated: true }),
  };
}
