import type { LatLng } from '../../core/coordinates.js';
import { stateByFips } from '../../core/states.js';
import { MICRO_PER_DEGREE, pointBeside, SIDE_OFFSET_METRES, shareOfNumber } from '../../core/streets/street-line.js';
import { edgeIn, sideIn } from '../../format/addresses/packed-columns.js';
import { type AddressShard, NO_TRACT } from '../../format/addresses/shard.js';
import type { OutlinesFile } from '../../format/outlines-file.js';
import type { Candidate } from './candidates.js';

/** Finds the row of the tract at a point; −1 if there is none. */
export type Locate = OutlinesFile['locate'];

/**
 * Tried in turn if the usual offset misses the tract of that side, because the tract is narrow there or its outline is
 * rough.
 */
const OTHER_OFFSETS_METRES = [5, 2.5, 1, 20, 40, 80];
const MIDDLE = 0.5;

/**
 * Where a candidate lies: interpolated along its street's line by its number, and offset to its side of the street. The
 * compiler has determined that side's tract; the position lies in it if any of the offsets tried does.
 */
export function positionOf({ shard, range, number }: Candidate, locate: Locate): LatLng {
  const packed = shard.rangeEdges[range] ?? 0;
  const line = shard.line(edgeIn(packed));
  const side = sideIn(packed);
  const share = shareOfNumber(shard.rangeNumbers[range * 2] ?? 0, shard.rangeNumbers[range * 2 + 1] ?? 0, number.value);
  const at = (along: number, offsetMetres: number): LatLng => {
    const { x, y } = pointBeside(line, along, side, offsetMetres);
    return { lat: y / MICRO_PER_DEGREE, lng: x / MICRO_PER_DEGREE };
  };
  const usual = at(share, SIDE_OFFSET_METRES);
  const tract = shard.rangeTracts[range] ?? NO_TRACT;
  if (tract === NO_TRACT || locate(usual) === tract) return usual;
  for (const along of [share, MIDDLE]) {
    for (const offset of [SIDE_OFFSET_METRES, ...OTHER_OFFSETS_METRES]) {
      const position = at(along, offset);
      if (locate(position) === tract) return position;
    }
  }
  return usual;
}

/** `123 Samplewood Ave, Sampleton, DE 19901`: with the city that the address names, else the main city of the ZIP. */
export function standardAddress({ shard, run, number, city }: Candidate): string {
  const street = shard.streetName(shard.runStreets[run] ?? 0);
  return joinAddress(shard, `${number.written} ${street}`, shard.runZips[run] ?? 0, city);
}

/** `<line>, <city>, <state> <ZIP>`, leaving out what is unknown. */
export function joinAddress(shard: AddressShard, line: string, zip: number, city = -1): string {
  const at = shard.zips.find(zip);
  const known = city >= 0 || at < 0 ? city : shard.zips.mainCityOf(at);
  const state = stateByFips(shard.stateFips)?.abbreviation ?? '';
  const ending = zip === 0 ? state : `${state} ${String(zip).padStart(5, '0')}`;
  let address = line;
  for (const part of [known < 0 ? '' : shard.zips.cityName(known), ending]) if (part !== '') address += `, ${part}`;
  return address;
}
