import { LRUCache } from 'lru-cache';
import {
  type GeocodeOutcome,
  type GeocodeResult,
  type Geocoder,
  GeocoderUnavailableError,
  geocodeEach,
  isMatch,
} from '../geocoder.js';
import { createAddressSeal } from './address-seal.js';

export interface CacheOptions {
  /** Results kept, some hundred bytes each; with 0 none is, and only what is under way is shared. */
  readonly maxEntries: number;
  /** The live generation: a result is recalled only while that is live which decided, by its tracts, what is a tie. */
  readonly generation: () => string | undefined;
  /** A clock that never goes back, milliseconds. */
  readonly now: () => number;
}

const MATCH_TTL_MS = 24 * 60 * 60_000;
/** Short: an address may be new, and a typo is not asked for twice. */
const NO_MATCH_TTL_MS = 10 * 60_000;

/**
 * Keeps a geocoder's results, sealed by their addresses; failures are not kept. An address that is being asked for is
 * not asked for a second time, neither in one batch nor by another request.
 */
export function createCachedGeocoder(geocoder: Geocoder, { maxEntries, generation, now }: CacheOptions): Geocoder {
  const seal = createAddressSeal();
  const kept =
    maxEntries > 0 ? new LRUCache<string, Buffer>({ max: maxEntries, perf: { now }, ttlResolution: 0 }) : undefined;
  const underWay = new Map<string, Promise<GeocodeOutcome>>();

  return {
    geocode: async (address) => {
      const [outcome] = await lookUp([address]);
      if (!outcome) throw new GeocoderUnavailableError('the geocoder gave no answer');
      if (outcome instanceof GeocoderUnavailableError) throw outcome;
      return outcome;
    },
    geocodeAll: lookUp,
  };

  function lookUp(addresses: readonly string[]): Promise<GeocodeOutcome[]> {
    const live = generation();
    const wanted = addresses.map((address) => ({ address, key: `${live} ${seal.keyOf(address)}` }));
    const outcomes = wanted.map(({ address, key }) => recall(address, key));
    const missing = new Map<string, string>();
    wanted.forEach(({ address, key }, at) => {
      if (!outcomes[at] && !underWay.has(key) && !missing.has(key)) missing.set(key, address);
    });
    if (missing.size > 0) ask(missing, live);
    return Promise.all(
      wanted.map(({ key }, at) => outcomes[at] ?? underWay.get(key) ?? new GeocoderUnavailableError('no answer')),
    );
  }

  /** Sets each of them under way. */
  function ask(missing: ReadonlyMap<string, string>, asked: string | undefined): void {
    const answers = geocodeEach(geocoder, [...missing.values()]);
    [...missing].forEach(([key, address], at) => {
      const outcome = answers
        .then((all) => {
          const own = all[at] ?? new GeocoderUnavailableError('the geocoder gave no answer');
          // What is live by now has decided.
          if (generation() === asked) remember(address, key, own);
          return own;
        })
        .finally(() => underWay.delete(key));
      underWay.set(key, outcome);
    });
  }

  function recall(address: string, key: string): GeocodeResult | undefined {
    const sealed = kept?.get(key);
    // What `remember` has closed under this very address.
    return sealed && JSON.parse(seal.open(address, sealed));
  }

  function remember(address: string, key: string, outcome: GeocodeOutcome): void {
    if (outcome instanceof GeocoderUnavailableError) return;
    const ttl = isMatch(outcome) ? MATCH_TTL_MS : NO_MATCH_TTL_MS;
    kept?.set(key, seal.close(address, JSON.stringify(outcome)), { ttl });
  }
}
