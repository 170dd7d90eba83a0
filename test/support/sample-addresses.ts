import type { LatLng } from '../../src/core/coordinates.js';
import { stateByFips } from '../../src/core/states.js';
import type { AddressRange, StreetSegment } from '../../src/core/street-segment.js';
import type { AddressesFile } from '../../src/format/addresses-file.js';

/** An address that a dataset's ranges hold. */
export interface SampleAddress {
  readonly address: string;
  /** The middle of its street, which in the demo and the tiny dataset is in the same tract as all of its addresses. */
  readonly near: LatLng;
  readonly segment: StreetSegment;
}

/** `count` addresses, spread evenly over the dataset's streets; sides and numbers vary. */
export function sampleAddresses({ addresses }: { readonly addresses: AddressesFile | undefined }, count: number) {
  if (!addresses) throw new Error('the dataset holds no address ranges');
  const { segmentCount } = addresses;
  return Array.from({ length: Math.min(count, segmentCount) }, (_, index): SampleAddress => {
    const segment = addresses.segment(Math.floor((index * segmentCount) / Math.min(count, segmentCount)));
    const range = (index % 2 === 0 ? segment.right : segment.left) ?? segment.left ?? segment.right;
    if (!range) throw new Error('a segment without addresses');
    return { address: addressOf(segment, range, index), near: middleOf(segment), segment };
  });
}

function addressOf({ street, city, stateFips }: StreetSegment, { from, to, zip }: AddressRange, salt: number): string {
  const numbers = Math.abs(to - from) / 2 + 1;
  const houseNumber = Math.min(from, to) + 2 * ((salt * 17) % numbers);
  return `${houseNumber} ${street}, ${city}, ${stateByFips(stateFips)?.abbreviation} ${zip}`;
}

function middleOf({ from, to }: StreetSegment): LatLng {
  return { lat: (from.lat + to.lat) / 2, lng: (from.lng + to.lng) / 2 };
}
