import type { AddressFiles } from '../../format/addresses/address-files.js';
import type { AddressReading, Whereabouts } from '../parse/readings.js';
import { CityFit } from './city-fit.js';
import { isKnownCity } from './known-cities.js';

/** Where the house of a reading may be. */
export interface Places {
  /** The reading in the place that is likeliest meant. */
  readonly own: AddressReading;
  /** The reading in others that are as likely; usually none. */
  readonly others: readonly AddressReading[];
}

const NONE: readonly AddressReading[] = [];

/**
 * A reading is in the city at its end, unless another known one with its own state or ZIP is named before that, as in `150
 * Main St, Hertford, NC; PO Box 12, Charlotte, NC 28202`. Without these, as in `150 Main St, Hertford, PO Box 12, Charlotte, NC
 * 28202`, the other city is as likely if the ZIP is not near it: a part of a city, or its township, may be called so.
 */
export function placesOf(files: AddressFiles, reading: AddressReading): Places {
  if (reading.between.length === 0) return { own: reading, others: NONE };
  const between = reading.between.filter((one) => isOtherPlace(files, reading, one));
  const complete = between.find(isComplete);
  if (complete) return { own: { ...reading, ...complete }, others: NONE };
  return { own: reading, others: between.map(({ city }) => ({ ...reading, city, zip: undefined })) };
}

const isComplete = ({ stateFips, zip }: Whereabouts): boolean => stateFips !== undefined || zip !== undefined;

/** Whether a place is a known city, and not one that uses the reading's ZIP. */
function isOtherPlace(files: AddressFiles, { zip, stateFips }: AddressReading, place: Whereabouts): boolean {
  const state = place.stateFips ?? stateFips;
  const shards = state === undefined ? files.shardsOfZip(place.zip ?? zip ?? 0) : [files.shardOf(state)];
  return shards.some((shard) => {
    if (!shard || !isKnownCity(place.city, shard)) return false;
    const city = new CityFit(shard, place.city, zip);
    return zip === undefined || (isComplete(place) ? city.cityIn(zip) < 0 : city.isFarFromZip());
  });
}
