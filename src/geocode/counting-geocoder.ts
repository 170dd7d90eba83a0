import { type Geocoder, isMatch } from './geocoder.js';

/** Counts of lookups since the start. */
export interface GeocoderStats {
  readonly requests: number;
  readonly matched: number;
  /** Ties included. */
  readonly no_match: number;
  /** In which no geocoder could be asked, or it broke. */
  readonly failures: number;
}

/** A geocoder that knows how it fares. */
export interface CountingGeocoder extends Geocoder {
  stats(): GeocoderStats;
}

export function createCountingGeocoder(geocoder: Geocoder): CountingGeocoder {
  const counts = { requests: 0, matched: 0, no_match: 0, failures: 0 };
  return {
    geocode: async (address) => {
      counts.requests++;
      try {
        const result = await geocoder.geocode(address);
        counts[isMatch(result) ? 'matched' : 'no_match']++;
        return result;
      } catch (error) {
        counts.failures++;
        throw error;
      }
    },
    stats: () => ({ ...counts }),
  };
}
