import type { Dataset } from '../format/dataset.js';
import { FormatError } from '../format/format-error.js';
import { type GeocodeResult, type Geocoder, GeocoderUnavailableError, NothingToGeocodeByError } from './geocoder.js';
import { matchAddress } from './match/match-address.js';

/** What the geocoder needs of a dataset. */
export interface AddressedDataset {
  readonly addresses: Dataset['addresses'];
  readonly outlines: Pick<Dataset['outlines'], 'locate'>;
}

/**
 * Geocodes by the live dataset's address ranges, on this machine: nothing leaves it. The position is interpolated along
 * the street and set off to the number's side, so that the tract is right where a boundary runs down the middle.
 */
export function createEmbeddedGeocoder(current: () => AddressedDataset | undefined): Geocoder {
  const geocode = (address: string): GeocodeResult => {
    const dataset = current();
    if (!dataset?.addresses) throw new NothingToGeocodeByError('no address ranges are loaded');
    const found = matchAddress(dataset.addresses, dataset.outlines.locate, address);
    if ('noMatch' in found) return found;
    const { lat, lng, matchedAddress, matchType } = found;
    return { lat, lng, matchedAddress, matchType };
  };
  return {
    geocode: async (address) => {
      try {
        return geocode(address);
      } catch (error) {
        throw error instanceof FormatError ? unreadableRanges() : error;
      }
    },
  };
}

/** Ranges that are damaged on disk are no bug. They are told of in the log when they are first looked into. */
export const unreadableRanges = (): GeocoderUnavailableError =>
  new GeocoderUnavailableError('the address ranges cannot be read');
