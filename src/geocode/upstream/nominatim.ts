import { z } from 'zod';
import type { CallRules } from '../../outbound/slot-queue.js';
import { addressLine } from '../address-line.js';
import { type GeocodedAddress, type GeocodeResult, type Geocoder, NO_MATCH } from '../geocoder.js';
import { parseAddress } from '../parse/parse-address.js';
import type { AddressReading } from '../parse/readings.js';
import { splitAtCommas, tokenize } from '../parse/tokens.js';
import { isUnit, takeUnit, unitAtBegin } from '../parse/units.js';
import { askForOne, type UpstreamOptions } from './ask-for-one.js';
import { isSameHouse } from './same-house.js';
import { lineOf } from './text-to-send.js';

/** One question at a time, at this rate; at most as many may wait as can be asked within half of the timeout. */
export function nominatimRules(requestsPerSecond: number, timeoutMs: number): CallRules {
  const minIntervalMs = Math.ceil(1000 / requestsPerSecond);
  return { maxConcurrent: 1, minIntervalMs, maxWaiting: Math.max(1, Math.floor(timeoutMs / 2 / minIntervalMs)) };
}

const degrees = (limit: number) =>
  z
    .string()
    .regex(/^-?\d+(?:\.\d+)?$/)
    .transform(Number)
    .pipe(z.number().min(-limit).max(limit));
/** OpenStreetMap's values have up to 255 characters, of one or two of the units that are counted here. */
const text = z
  .string()
  .max(2 * 255)
  .optional();

/** The part that is needed of https://nominatim.org/release-docs/latest/api/Output/ (jsonv2). */
const placeSchema = z.object({
  lat: degrees(90),
  lon: degrees(180),
  category: z.string(),
  type: z.string(),
  place_rank: z.number().optional(),
  addresstype: text,
  osm_type: text,
  address: z.object({
    house_number: text,
    road: text,
    city: text,
    town: text,
    village: text,
    hamlet: text,
    municipality: text,
    borough: text,
    city_district: text,
    suburb: text,
    quarter: text,
    neighbourhood: text,
    postcode: text,
    'ISO3166-2-lvl4': text,
  }),
});
const answerSchema = z.array(placeSchema);
type Place = z.output<typeof placeSchema>;

/** Enough to see whether several places have the house. */
const MOST_PLACES = 5;

/**
 * Nominatim's search, over OpenStreetMap. Only the very house that was asked for is a match: the middle of a street, of a
 * town or of a ZIP code may lie in another tract. An address that names no house is not sent.
 */
export function createNominatimGeocoder({ call, baseUrl, tractAt }: UpstreamOptions): Geocoder {
  const endpoint = `${baseUrl}/search`;
  return {
    geocode: async (address): Promise<GeocodeResult> => {
      const asked = parseAddress(address);
      if (asked.kind !== 'address') return NO_MATCH;
      const readings = [...asked.readings, ...asked.otherwise()];
      const limit = String(MOST_PLACES);
      return askForOne(
        { call, tractAt },
        {
          endpoint,
          parameters: {
            q: withoutUnit(address, asked.readings),
            format: 'jsonv2',
            addressdetails: '1',
            countrycodes: 'us',
            limit,
          },
          schema: answerSchema,
          candidatesIn: (places) => places.filter((place) => isMeant(place, readings)).map(toMatch),
        },
      );
    },
  };
}

/** The address without apartments and the like, with which Nominatim finds no house (osm-search/Nominatim#80 and #1399). */
function withoutUnit(address: string, [reading]: readonly AddressReading[]): string {
  const hasUnit = splitAtCommas(tokenize(address)).some(
    (part) => isUnit(part) || unitAtBegin(part) > 0 || takeUnit(part).before.length < part.length,
  );
  return hasUnit && reading ? lineOf(`${reading.number.written} ${reading.words.join(' ')}`, reading) : address;
}

/** Lower ranks are streets and larger places: https://nominatim.org/release-docs/latest/customize/Ranking/ */
const LEAST_HOUSE_RANK = 28;
const NO_HOUSES = new Set(['highway', 'boundary', 'landuse', 'natural', 'waterway']);
const HOUSES = new Set(['house', 'houses']);
const AREAS = new Set('postcode road neighbourhood suburb hamlet village town city county state country'.split(' '));

/** Whether a place is a house, and the one asked for. */
function isMeant(place: Place, readings: readonly AddressReading[]): boolean {
  const { house_number: number, road, postcode, city, town, village, hamlet, municipality, ...others } = place.address;
  if (number === undefined || road === undefined || !isHouse(place)) return false;
  const { borough, city_district, suburb, quarter, neighbourhood } = others;
  const known = [city, town, village, hamlet, municipality, borough, city_district, suburb, quarter, neighbourhood];
  const places = known.filter((name) => name !== undefined);
  return isSameHouse(readings, { number, road, places, state: stateAbbreviation(place.address), postcode });
}

function isHouse({ category, type, addresstype = '', place_rank = LEAST_HOUSE_RANK }: Place): boolean {
  if (place_rank < LEAST_HOUSE_RANK || AREAS.has(addresstype)) return false;
  return category === 'place' ? HOUSES.has(type) : !NO_HOUSES.has(category);
}

function stateAbbreviation({ 'ISO3166-2-lvl4': code }: Place['address']): string | undefined {
  return code?.replace(/^US-/, '');
}

function toMatch(place: Place): GeocodedAddress {
  const { lat, lon, address } = place;
  const { house_number, road, postcode = '' } = address;
  const city = address.city ?? address.town ?? address.village ?? address.hamlet ?? address.municipality ?? '';
  const matchedAddress = addressLine(`${house_number} ${road}`, city, stateAbbreviation(address) ?? '', postcode);
  return { lat, lng: lon, matchedAddress, matchType: isInterpolated(place) ? 'interpolated' : 'exact' };
}

/** A house number that Nominatim interpolates has the street, or the line along it, as its OSM object. */
function isInterpolated({ category, type, osm_type }: Place): boolean {
  return category === 'place' && type === 'house' && osm_type === 'way';
}
