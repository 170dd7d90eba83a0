import type { LatLng } from '../../src/core/coordinates.js';

/** Made-up answers in the layouts of the Census geocoder and of Nominatim. */

interface CensusMatch extends LatLng {
  readonly matchedAddress: string;
}

/** GET locations/onelineaddress?format=json. */
export const censusAnswer = (matches: readonly CensusMatch[]) => ({
  result: {
    input: {
      address: { address: 'as it was asked for' },
      benchmark: {
        isDefault: true,
        benchmarkDescription: 'Public Address Ranges - Current Benchmark',
        id: '4',
        benchmarkName: 'Public_AR_Current',
      },
    },
    addressMatches: matches.map(({ lat, lng, matchedAddress }) => ({
      tigerLine: { side: 'L', tigerLineId: '1234567' },
      coordinates: { x: lng, y: lat },
      addressComponents: {
        zip: '19901',
        streetName: 'SAMPLEWOOD',
        preType: '',
        city: 'SAMPLETON',
        preDirection: '',
        suffixDirection: '',
        fromAddress: '1',
        state: 'DE',
        suffixType: 'AVE',
        toAddress: '99',
        suffixQualifier: '',
        preQualifier: '',
      },
      matchedAddress,
    })),
  },
});

/** Rows of POST locations/addressbatch. */
export const censusMatchRow = (
  id: number | string,
  { lat, lng, matchedAddress }: CensusMatch,
  type = 'Exact',
): string => `"${id}","as it was asked for","Match","${type}","${matchedAddress}","${lng},${lat}","1234567","L"\n`;
export const censusOtherRow = (id: number | string, status: 'No_Match' | 'Tie'): string =>
  `"${id}","as it was asked for","${status}"\n`;

/** The rows of the file in a request to addressbatch. */
export function uploadedRows(body: string): string[] {
  const file = /name="addressFile"; filename="[^"]+"\r\nContent-Type: text\/csv\r\n\r\n([\s\S]*?)\r\n--/.exec(
    body,
  )?.[1];
  return file?.split('\r\n') ?? [];
}

/** An entry of GET search?format=jsonv2&addressdetails=1, by default for a house; `more` overrides its fields. */
export const nominatimPlace = ({ lat, lng }: LatLng, address: object, more: object = {}) => ({
  place_id: 100149,
  licence: 'Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright',
  osm_type: 'node',
  osm_id: 107775,
  lat: String(lat),
  lon: String(lng),
  category: 'place',
  type: 'house',
  place_rank: 30,
  importance: 0.00000999999999995449,
  addresstype: 'place',
  name: '',
  display_name: '7, Samplewood Avenue, Sampleton, Kent County, Delaware, 19901, United States',
  address: {
    house_number: '7',
    road: 'Samplewood Avenue',
    town: 'Sampleton',
    county: 'Kent County',
    state: 'Delaware',
    'ISO3166-2-lvl4': 'US-DE',
    postcode: '19901',
    country: 'United States',
    country_code: 'us',
    ...address,
  },
  boundingbox: ['39.1', '39.2', '-75.6', '-75.5'],
  ...more,
});
