import { LRUCache } from 'lru-cache';
import {
  type GeocodeOutcome,
  type GeocodeResult,
  type Geocoder,
  GeocoderUnavailableError,
  geocodeEach,
  geocoderOfSeveral,
  isMatch,
} from '../geocoder.js';
import { createAddressSeal } from './address-seal.js';

export interface CacheOptions {
  /** Results kept, some hundred bytes each; with 0 none is, and only lookups in flight are shared. */
  readonly maxEntries: number;
  /** The live generation. Its tracts decide what is a tie, so a result is reused only while the same generation is live. */
  readonly generation: () => string | undefined;
  /** A monotonic clock, milliseconds. */
  readonly now: () => number;
}

const MATCH_TTL_MS = 24 * 60 * 60_000;
/** Short, since an address may be new; long enough that a typo is not asked for twice. */
const NO_MATCH_TTL_MS = 10 * 60_000;

/**
 * Caches a geocoder's results, sealed by their addresses; failures are not cached. An address whose lookup is in flight
 * is not asked for a second time, neither in one batch nor by another request.
 */
export function createCachedGeocoder(geocoder: Geocoder, { maxEntries, generation, now }: CacheOptions): Geocoder {
  const seal = createAddressSeal();
  const kept =
    maxEntries > 0 ? new LRUCache<string, Buffer>({ max: maxEntries, perf: { now }, ttlResolution: 0 }) : undefined;
  const underWay = new Map<string, Promise<GeocodeOutcome>>();

  return geocoderOfSeveral(lookUp);

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

  /** Starts the lookups, and registers each as under way. */
  function ask(missing: ReadonlyMap<string, string>, asked: string | undefined): void {
    const answers = geocodeEach(geocoder, [...missing.values()]);
    [...missing].forEach(([key, address], at) => {
      const outcome = answers
        .then((all) => {
          const own = all[at] ?? new GeocoderUnavailableError('the geocoder gave no answer');
          // Unless the generation has changed meanwhile: the new one's tracts may have decided what is a tie.
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
