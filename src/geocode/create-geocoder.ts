import type { LatLng } from '../core/coordinates.js';
import type { Dataset } from '../format/dataset.js';
import type { Turns } from '../outbound/turns.js';
import { createGeocoderChain } from './chain.js';
import { type CountingGeocoder, countLookups, createCountingGeocoder, type GeocoderPart } from './counting-geocoder.js';
import { type AddressedDataset, createEmbeddedGeocoder } from './embedded.js';
import { type Geocoder, type GeocoderName, NothingToGeocodeByError } from './geocoder.js';
import { createGeocoderTogether, type MatchElsewhere } from './together.js';
import { createCachedGeocoder } from './upstream/cached-geocoder.js';
import { createUpstreamCall, type UpstreamCall, type UpstreamSetup } from './upstream/caller.js';
import { CENSUS_RULES, createCensusGeocoder } from './upstream/census.js';
import { createNominatimGeocoder, nominatimRules } from './upstream/nominatim.js';
import { createPlaceableGeocoder } from './upstream/placeable-geocoder.js';

export interface GeocoderOptions {
  /** In the order in which they are asked. */
  readonly names: readonly GeocoderName[];
  /** The live dataset: the embedded geocoder's address ranges, and the tracts that decide what is a tie. */
  readonly current: () => (AddressedDataset & Pick<Dataset, 'generation'>) | undefined;
  /** Matches batches for the embedded geocoder. */
  readonly matchElsewhere: MatchElsewhere;
  readonly upstream: UpstreamSetup;
  /** Results of upstream geocoders that are kept. */
  readonly cacheMaxEntries: number;
  readonly censusUrl: string;
  readonly nominatimUrl: string;
  /** At most; it may be less than one. */
  readonly nominatimRequestsPerSecond: number;
  /** Shared by all who keep to that together. */
  readonly nominatimTurns: Turns | undefined;
}

/** The geocoder as configured. Only those that are named are ever asked. */
export function createGeocoder(options: GeocoderOptions): CountingGeocoder {
  const { names, current, upstream } = options;
  const parts = names.map((name): GeocoderPart => ({ name, ...countLookups(createNamed(name)) }));
  const [only, ...others] = parts;
  const counting = createCountingGeocoder(only && others.length === 0 ? only : createGeocoderChain(parts), parts);
  return { ...counting, asksOthers: names.some((name) => name !== 'embedded') };

  function createNamed(name: GeocoderName): Geocoder {
    switch (name) {
      case 'embedded':
        return createGeocoderTogether(createEmbeddedGeocoder(current), options.matchElsewhere);
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

  /** Without tracts there is no use for a position: no address leaves for it. */
  function callWithTracts(call: UpstreamCall): UpstreamCall {
    return async (request, read) => {
      if (!current()) throw new NothingToGeocodeByError('no tracts are loaded');
      return call(request, read);
    };
  }

  /** What holds for whatever is asked over the network. */
  function outside(geocoder: Geocoder): Geocoder {
    const { cacheMaxEntries: maxEntries } = options;
    const generation = (): string | undefined => current()?.generation;
    return createPlaceableGeocoder(createCachedGeocoder(geocoder, { maxEntries, generation, now: upstream.now }));
  }

  function tractAt(position: LatLng): number {
    return current()?.outlines.locate(position) ?? -1;
  }
}
