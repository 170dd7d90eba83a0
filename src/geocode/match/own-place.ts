import type { AddressFiles } from '../../format/addresses/address-files.js';
import type { AddressReading, Whereabouts } from '../parse/readings.js';
import { CityFit } from './city-fit.js';
import { isKnownCity } from './known-cities.js';

/**
 * The reading in the place that is the house's: the city at its end, unless another known one with its own state or ZIP is
 * named before that, as in `150 Main St, Hertford, NC; PO Box 12, Charlotte, NC 28202`.
 */
export function inOwnPlace(files: AddressFiles, reading: AddressReading): AddressReading {
  const place = reading.between.find((one) => isComplete(one) && isOtherPlace(files, reading, one));
  return place ? { ...reading, ...place } : reading;
}

const isComplete = ({ stateFips, zip }: Whereabouts): boolean => stateFips !== undefined || zip !== undefined;

/** Whether a place is a known city, and not one that uses the reading's ZIP. */
function isOtherPlace(files: AddressFiles, { zip, stateFips }: AddressReading, place: Whereabouts): boolean {
  const state = place.stateFips ?? stateFips;
  const shards = state === undefined ? files.shardsOfZip(place.zip ?? zip ?? 0) : [files.shardOf(state)];
  return shards.some((shard) => {
    if (!shard || !isKnownCity(place.city, shard)) return false;
    return zip === undefined || new CityFit(shard, place.city, zip).cityIn(zip) < 0;
  });
}
