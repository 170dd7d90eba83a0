import {
  type GeocodeOutcome,
  type Geocoder,
  type GeocoderName,
  GeocoderUnavailableError,
  geocodeEach,
  isMatch,
  MATCH_TYPES,
  type MatchType,
  type NoMatchReason,
} from './geocoder.js';

/** The name that each reason is counted under. */
const COUNTED_AS = {
  'no match': 'unknown',
  tie: 'tie',
  'cannot be placed': 'unplaceable',
  'not loaded': 'not_loaded',
} as const satisfies Record<NoMatchReason, string>;
const COUNTED_REASONS = Object.values(COUNTED_AS);
type CountedReason = (typeof COUNTED_REASONS)[number];

/** Counts of lookups since the start of the process. */
export interface GeocoderCounts {
  readonly requests: number;
  readonly matched: number;
  /** For any reason, ties included. */
  readonly no_match: number;
  /** Lookups for which no geocoder could be asked, or that threw. */
  readonly failures: number;
  readonly matches_by_type: Readonly<Record<MatchType, number>>;
  readonly no_matches_by_reason: Readonly<Record<CountedReason, number>>;
}

/** Counts of what clients asked for, and of what each geocoder was asked: for one address, several may have been. */
export interface GeocoderStats extends GeocoderCounts {
  readonly by_geocoder: Readonly<Partial<Record<GeocoderName, GeocoderCounts>>>;
}

/** A geocoder that counts its lookups and their outcomes. */
export interface CountingGeocoder<Stats = GeocoderStats> extends Geocoder {
  stats(): Stats;
}

/** One of the geocoders that another geocoder asks. */
export interface GeocoderPart extends CountingGeocoder<GeocoderCounts> {
  readonly name: GeocoderName;
}

/** Counts what clients ask of a geocoder; `parts` are the geocoders that it is made of, with counts of their own. */
export function createCountingGeocoder(geocoder: Geocoder, parts: readonly GeocoderPart[] = []): CountingGeocoder {
  const counting = countLookups(geocoder);
  return {
    ...counting,
    stats: () => ({
      ...counting.stats(),
      by_geocoder: Object.fromEntries(parts.map(({ name, stats }) => [name, stats()])),
    }),
  };
}

export function countLookups(geocoder: Geocoder): CountingGeocoder<GeocoderCounts> {
  const counts = { requests: 0, matched: 0, no_match: 0, failures: 0 };
  const matchesByType = zeros(MATCH_TYPES);
  const noMatchesByReason = zeros(COUNTED_REASONS);
  const count = (outcome: GeocodeOutcome): void => {
    if (outcome instanceof GeocoderUnavailableError) counts.failures++;
    else if (isMatch(outcome)) {
      counts.matched++;
      if (outcome.matchType) matchesByType[outcome.matchType]++;
    } else {
      counts.no_match++;
      noMatchesByReason[COUNTED_AS[outcome.noMatch]]++;
    }
  };
  /** Unexpected errors count as failures, too. */
  const countFailures = (howMany: number, error: unknown): never => {
    counts.failures += howMany;
    throw error;
  };
  return {
    geocode: async (address) => {
      counts.requests++;
      const result = await geocoder.geocode(address).catch((error: unknown) => countFailures(1, error));
      count(result);
      return result;
    },
    geocodeAll: async (addresses) => {
      const { length } = addresses;
      counts.requests += length;
      const outcomes = await geocodeEach(geocoder, addresses).catch((error: unknown) => countFailures(length, error));
      for (const outcome of outcomes) count(outcome);
      return outcomes;
    },
    stats: () => ({
      ...counts,
      matches_by_type: { ...matchesByType },
      no_matches_by_reason: { ...noMatchesByReason },
    }),
  };
}

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  // The cast is safe: the object has a key for each of the names, and no other.
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}
