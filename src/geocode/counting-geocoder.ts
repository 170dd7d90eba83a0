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

/** What each reason is counted as. */
const COUNTED_AS = {
  'no match': 'unknown',
  tie: 'tie',
  'cannot be placed': 'unplaceable',
} as const satisfies Record<NoMatchReason, string>;
const COUNTED_REASONS = Object.values(COUNTED_AS);
type CountedReason = (typeof COUNTED_REASONS)[number];

/** Counts of lookups since the start. */
export interface GeocoderCounts {
  readonly requests: number;
  readonly matched: number;
  /** For whatever reason: ties included. */
  readonly no_match: number;
  /** In which no geocoder could be asked, or it broke. */
  readonly failures: number;
  readonly matches_by_type: Readonly<Record<MatchType, number>>;
  readonly no_matches_by_reason: Readonly<Record<CountedReason, number>>;
}

/** What clients asked, and of that what each geocoder was asked: several may have been for one address. */
export interface GeocoderStats extends GeocoderCounts {
  readonly by_geocoder: Readonly<Partial<Record<GeocoderName, GeocoderCounts>>>;
}

/** A geocoder that knows how it fares. */
export interface CountingGeocoder<Stats = GeocoderStats> extends Geocoder {
  stats(): Stats;
}

/** One of the geocoders that another asks. */
export interface GeocoderPart extends CountingGeocoder<GeocoderCounts> {
  readonly name: GeocoderName;
}

/** Counts what clients ask of the geocoder that is made of these. */
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

export function countLookups(geocoder: Geocoder): Required<Omit<CountingGeocoder<GeocoderCounts>, 'asksOthers'>> {
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
  /** Bugs count, too. */
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
  // A key for each of the names, and no other.
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}
