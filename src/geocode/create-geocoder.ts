/**
 * From an address's text to its position. Geocoders are asked in turn (`chain.ts`) until one knows the address. The one on
 * this machine (`embedded.ts`, or `offloading-geocoder.ts` for batches) matches it with a dataset's address ranges, in
 * `match/match-address.ts`; those of others are in `upstream/`. `150 Main St Apt 3, Boston, MA 02118` goes through these:
 *
 * 1. `parse/tokens.ts` and `parse/mend.ts` cut the text into words and commas, and repair what was misspelled or misread.
 * 2. `parse/ending.ts` takes state and ZIP off the end, once `usual-order.ts` and `trailer.ts` have put them there.
 * 3. `parse/find-number.ts` finds the house number; `parse/read-street.ts` makes readings of it and what follows, without
 *    `APT 3`, the likeliest first: number 150, words `MAIN ST`, city `BOSTON`. Crossings: `parse/read-crossing.ts`.
 * 4. `match/own-place.ts` tells the house's place from others in the text, and `match/shards-for.ts` chooses the states whose
 *    ranges are searched. The file of one state's ranges is called a shard.
 * 5. `match/splits.ts` divides a reading's words into a street and the rest, in every way; `rest-fit.ts` and `city-fit.ts`
 *    judge whether the rest is the city.
 * 6. `match/search-shard.ts` looks each street up, as written, and `respell.ts` in other spellings; `collect.ts` finds the
 *    ranges with the number, and `scores.ts` says what each difference costs. `match/crossing.ts` and `corners.ts` do so for
 *    crossings.
 * 7. `match/candidates.ts` keeps the best and decides whether they tie; `position.ts` interpolates where it is.
 */

import type { LatLng } from '../core/coordinates.js';
import type { Dataset } from '../format/dataset.js';
import type { Turns } from '../outbound/turns.js';
import { createGeocoderChain } from './chain.js';
import { type CountingGeocoder, countLookups, createCountingGeocoder, type GeocoderPart } from './counting-geocoder.js';
import { type AddressedDataset, createEmbeddedGeocoder } from './embedded.js';
import { type Geocoder, type GeocoderName, NothingToGeocodeByError } from './geocoder.js';
import { createOffloadingGeocoder, type MatchElsewhere } from './offloading-geocoder.js';
import { createCachedGeocoder } from './upstream/cached-geocoder.js';
import { createUpstreamCall, type UpstreamCall, type UpstreamSetup } from './upstream/caller.js';
import { CENSUS_RULES, createCensusGeocoder } from './upstream/census.js';
import { createNominatimGeocoder, nominatimRules } from './upstream/nominatim.js';
import { createPlaceableGeocoder } from './upstream/placeable-geocoder.js';

export interface GeocoderOptions {
  /** In the order in which they are asked. */
  readonly names: readonly GeocoderName[];
  /** The live dataset: the embedded geocoder's address ranges, and the tracts that decide whether candidates tie. */
  readonly current: () => (AddressedDataset & Pick<Dataset, 'generation'>) | undefined;
  /** Matches batches for the embedded geocoder, on another thread. */
  readonly matchElsewhere: MatchElsewhere;
  readonly upstream: UpstreamSetup;
  /** How many results are kept for each upstream geocoder. */
  readonly cacheMaxEntries: number;
  readonly censusUrl: string;
  readonly nominatimUrl: string;
  /** The maximum, of all processes together. */
  readonly nominatimRequestsPerSecond: number;
  /** Shared by all processes, which keep to that rate together. */
  readonly nominatimTurns: Turns | undefined;
}

/** The geocoder as configured. Only the geocoders that are named are ever asked. */
export function createGeocoder(options: GeocoderOptions): CountingGeocoder {
  const { names, current, upstream } = options;
  const parts = names.map((name): GeocoderPart => ({ name, ...countLookups(createNamed(name)) }));
  const [only, ...others] = parts;
  const counting = createCountingGeocoder(only && others.length === 0 ? only : createGeocoderChain(parts), parts);
  return { ...counting, asksOthers: names.some((name) => name !== 'embedded') };

  function createNamed(name: GeocoderName): Geocoder {
    switch (name) {
      case 'embedded':
        return createOffloadingGeocoder(createEmbeddedGeocoder(current), options.matchElsewhere);
      case 'census': {
        const call = callWithTracts(createUpstreamCall(name, upstream, CENSUS_RULES));
        return outside(createCensusGeocoder({ call, baseUrl: options.censusUrl, tractAt }));
      }
      case 'nominatim': {
        const rules = nominatimRules(options.nominatimRequestsPerSecond, upstream.timeoutMs);
        const call = callWithTracts(createUpstreamCall(name, upstream, rules, options.nominatimTurns));
        return outside(createNominatimGeocoder({ call, baseUrl: options.nominatimUrl, tractAt }));
      }
    }
  }

  /** Without tracts a position is of no use, so no address is sent out to get one. */
  function callWithTracts(call: UpstreamCall): UpstreamCall {
    return async (request, read) => {
      if (!current()) throw new NothingToGeocodeByError('no tracts are loaded');
      return call(request, read);
    };
  }

  /** What applies to every geocoder asked over the network: only possible addresses are sent, and results are cached. */
  function outside(geocoder: Geocoder): Geocoder {
    const { cacheMaxEntries: maxEntries } = options;
    const generation = (): string | undefined => current()?.generation;
    return createPlaceableGeocoder(createCachedGeocoder(geocoder, { maxEntries, generation, now: upstream.now }));
  }

  function tractAt(position: LatLng): number {
    return current()?.outlines.locate(position) ?? -1;
  }
}
