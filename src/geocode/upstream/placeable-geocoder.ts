import { type Geocoder, geocodeEach, geocoderOfSeveral } from '../geocoder.js';
import { textToSend } from './text-to-send.js';

/**
 * A geocoder that is asked only for what may be an address. A post office box, a telephone number or a name tells who
 * somebody is, not where: alone or beside an address, it stays on the machine. What is sent is decided by {@link textToSend}.
 */
export function createPlaceableGeocoder(geocoder: Geocoder): Geocoder {
  return geocoderOfSeveral(async (addresses) => {
    const texts = addresses.map(textToSend);
    const asked = texts.filter((text) => typeof text === 'string');
    const outcomes = (await geocodeEach(geocoder, asked)).values();
    return texts.flatMap((text) => (typeof text === 'string' ? (outcomes.next().value ?? []) : text));
  });
}
