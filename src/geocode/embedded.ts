import type { LatLng } from '../core/coordinates.js';
import { stateByFips } from '../core/states.js';
import { positionOnStreet, type StreetSegment, sideOf } from '../core/street-segment.js';
import type { AddressesFile } from '../format/addresses-file.js';
import type { Dataset } from '../format/dataset.js';
import { type GeocodeResult, type Geocoder, GeocoderUnavailableError } from './geocoder.js';
import { parseAddress, type Reading } from './parse-address.js';

/** What the geocoder needs of a dataset. */
export interface AddressedDataset {
  readonly addresses: Pick<AddressesFile, 'find'> | undefined;
  readonly outlines: Pick<Dataset['outlines'], 'locate'>;
}

/** A place that fits an address. */
interface Candidate extends LatLng {
  readonly matchedAddress: string;
  /** The row of its tract, or −1. */
  readonly tract: number;
}

/**
 * Geocodes by the live dataset's address ranges, on this machine: nothing leaves it. An address matches where its street
 * is known in its ZIP (else in its city and state) with a range that holds the number; the position is interpolated
 * along the street and set off to the number's side. Candidates in different tracts are a tie, not a match.
 */
export function createEmbeddedGeocoder(current: () => AddressedDataset | undefined): Geocoder {
  return {
    geocode: async (address) => {
      const dataset = current();
      if (!dataset?.addresses) throw new GeocoderUnavailableError('no address ranges are loaded');
      return match(dataset.addresses, dataset.outlines, address);
    },
  };
}

type Outlines = AddressedDataset['outlines'];

/** The first reading that has candidates decides. O(length of the address + segments of the street). */
function match(addresses: Pick<AddressesFile, 'find'>, outlines: Outlines, address: string): GeocodeResult {
  for (const reading of parseAddress(address)) {
    const [first, ...others] = candidates(addresses, outlines, reading);
    if (!first) continue;
    if (others.some(({ tract }) => tract !== first.tract)) return { noMatch: 'tie' };
    const { lat, lng, matchedAddress } = first;
    return { lat, lng, matchedAddress };
  }
  return { noMatch: 'no match' };
}

function candidates(addresses: Pick<AddressesFile, 'find'>, outlines: Outlines, reading: Reading): Candidate[] {
  const { street, houseNumber, zip, stateFips, city, cityApart } = reading;
  // Towns share ZIPs and go by several names: with a ZIP, the city decides only whether it is one.
  const decides = zip === undefined || !cityApart;
  const segments = addresses.find(street, { zip, stateFips, city: decides ? city : undefined });
  return segments.flatMap((segment) => place(segment, houseNumber, zip, outlines) ?? []);
}

/** Where the segment has the number; undefined where it does not, or has it on the side of another ZIP. */
function place(
  segment: StreetSegment,
  houseNumber: number,
  zip: string | undefined,
  outlines: Outlines,
): Candidate | undefined {
  const side = sideOf(segment, houseNumber);
  const sideZip = side && segment[side]?.zip;
  if (side === undefined || (zip !== undefined && sideZip !== zip)) return undefined;
  const position = positionOnStreet(segment, side, houseNumber);
  const matchedAddress = standardAddress(segment, houseNumber, sideZip ?? '');
  return { ...position, matchedAddress, tract: outlines.locate(position) };
}

/** `123 Samplewood Ave, Sampleton, DE 19901`. */
function standardAddress({ street, city, stateFips }: StreetSegment, houseNumber: number, zip: string): string {
  const state = stateByFips(stateFips)?.abbreviation ?? '';
  return [`${houseNumber} ${street}`, city, `${state} ${zip}`.trim()].filter((part) => part !== '').join(', ');
}
