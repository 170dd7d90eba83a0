import { type GeocodeOutcome, type GeocodeResult, type Geocoder, geocodeEach } from '../geocoder.js';
import { textToSend } from './text-to-send.js';

/**
 * A geocoder that is asked only for what may be an address. A post office box, a telephone number or a name tells who
 * somebody is, not where: alone or beside an address, it stays on the machine. What is sent is decided by {@link textToSend}.
 */
export function createPlaceableGeocoder(geocoder: Geocoder): Geocoder {
  return {
    geocode: async (address): Promise<GeocodeResult> => {
      const text = textToSend(address);
      return typeof text === 'string' ? geocoder.geocode(text) : text;
    },
    geocodeAll: async (addresses): Promise<readonly GeocodeOutcome[]> => {
      const texts = addresses.map(textToSend);
      const asked = texts.filter((text) => typeof text === 'string');
      const outcomes = (await geocodeEach(geocoder, asked)).values();
      return texts.flatMap((text) => (typeof text === 'string' ? (outcomes.next().value ?? []) : text));
    },
  };
}
