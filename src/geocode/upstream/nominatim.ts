import { z } from 'zod';
import type { GeocodedAddress, GeocodeResult, Geocoder } from '../geocoder.js';
import type { UpstreamCall, UpstreamRules } from './caller.js';
import { agreedOn, type TractAt } from './one-tract.js';
import { jsonOf } from './read-json.js';
import { stateOf } from './split-address.js';
import { isRefusal, UpstreamError } from './upstream-error.js';

/** One question at a time, so many a second; no more may wait than can be asked before the time is up. */
export function nominatimRules(requestsPerSecond: number, timeoutMs: number): UpstreamRules {
  const minIntervalMs = Math.ceil(1000 / requestsPerSecond);
  return { maxConcurrent: 1, minIntervalMs, maxWaiting: Math.ceil(timeoutMs / minIntervalMs) };
}

const degrees = (limit: number) =>
  z
    .string()
    .regex(/^-?\d+(?:\.\d+)?$/)
    .transform(Number)
    .pipe(z.number().min(-limit).max(limit));
const text = z.string().max(200).optional();

/** Of https://nominatim.org/release-docs/latest/api/Output/ (jsonv2), what is needed. */
const placeSchema = z.object({
  lat: degrees(90),
  lon: degrees(180),
  category: z.string(),
  type: z.string(),
  osm_type: text,
  address: z.object({
    house_number: text,
    road: text,
    city: text,
    town: text,
    village: text,
    hamlet: text,
    municipality: text,
    postcode: text,
    'ISO3166-2-lvl4': text,
  }),
});
const answerSchema = z.array(placeSchema);
type Place = z.output<typeof placeSchema>;

/** Enough to see whether a house is in several places. */
const MOST_PLACES = 5;

export interface NominatimOptions {
  readonly call: UpstreamCall;
  /** Without the path that the service adds. */
  readonly baseUrl: string;
  readonly tractAt: TractAt;
}

/**
 * Nominatim's search, over OpenStreetMap. Only a house with the number that was asked for is a match: the middle of a
 * street or of a ZIP code may lie in another tract.
 */
export function createNominatimGeocoder({ call, baseUrl, tractAt }: NominatimOptions): Geocoder {
  const search = `${baseUrl.replace(/\/+$/, '')}/search`;
  return {
    geocode: async (address): Promise<GeocodeResult> => {
      const url = new URL(search);
      url.search = new URLSearchParams({
        q: address,
        format: 'jsonv2',
        addressdetails: '1',
        countrycodes: 'us',
        limit: String(MOST_PLACES),
      }).toString();
      try {
        const places = await call({ url, accept: 'application/json' }, jsonOf(answerSchema));
        const candidates = places.filter((place) => isAskedFor(place, address)).map(toMatch);
        return agreedOn(candidates, tractAt);
      } catch (error) {
        if (error instanceof UpstreamError && isRefusal(error)) return { noMatch: 'no match' };
        throw error;
      }
    },
  };
}

/** Whether a place is a house with the number asked for, in the state asked for. A building may have several: `12;14`. */
function isAskedFor({ address }: Place, asked: string): boolean {
  const { house_number, road } = address;
  if (house_number === undefined || road === undefined) return false;
  const state = stateOf(asked);
  if (state !== undefined && (stateAbbreviation(address) ?? state) !== state) return false;
  // The first number of an address is the house's; others may be its street's.
  const number = asked
    .toUpperCase()
    .split(/[\s,;]+/)
    .find((word) => /\d/.test(word));
  return house_number
    .toUpperCase()
    .split(/[;,]/)
    .some((one) => one.trim() === number);
}

function stateAbbreviation({ 'ISO3166-2-lvl4': code }: Place['address']): string | undefined {
  return code?.replace(/^US-/, '');
}

function toMatch(place: Place): GeocodedAddress {
  const { lat, lon, address } = place;
  const { house_number, road, postcode } = address;
  const city = address.city ?? address.town ?? address.village ?? address.hamlet ?? address.municipality;
  const street = `${house_number} ${road}`;
  const region = [stateAbbreviation(address), postcode].filter(Boolean).join(' ');
  const matchedAddress = [street, city, region].filter(Boolean).join(', ');
  return { lat, lng: lon, matchedAddress, matchType: isInterpolated(place) ? 'interpolated' : 'exact' };
}

/** Numbers that Nominatim computes have the street, or the line along it, for their object. */
function isInterpolated({ category, type, osm_type }: Place): boolean {
  return category === 'place' && type === 'house' && osm_type === 'way';
}
