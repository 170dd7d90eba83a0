import type { Dataset } from '../format/dataset.js';
import { FormatError } from '../format/format-error.js';
import { type GeocodeResult, type Geocoder, GeocoderUnavailableError, NothingToGeocodeByError } from './geocoder.js';
import { matchAddress } from './match/match-address.js';

/** The parts of a dataset that the geocoder needs. */
export interface AddressedDataset {
  readonly addresses: Dataset['addresses'];
  readonly outlines: Pick<Dataset['outlines'], 'locate'>;
}

/**
 * Geocodes by the live dataset's address ranges, on this machine: nothing leaves it. The position is interpolated along
 * the street and offset to the house number's side, so that the tract is right even where a boundary runs down the middle
 * of the street.
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

/** For address ranges damaged on disk, which is not a bug. The log reports the damage when they are first opened. */
export const unreadableRanges = (): GeocoderUnavailableError =>
  new GeocoderUnavailableError('the address ranges cannot be read');
