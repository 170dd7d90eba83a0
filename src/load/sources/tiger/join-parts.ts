import { type LatLng, UNITS_PER_DEGREE } from '../../../core/coordinates.js';
import type { Geoid } from '../../../core/geoid.js';
import { type Box, boxOfRings } from '../../../format/box.js';
import type { ShpRecord } from '../../files/shp.js';
import type { Tally } from '../../intake/tally.js';
import type { Outline } from '../../intake/tract-rows.js';
import { internalPoint } from '../../outlines/internal-point.js';
import { isInside } from '../../outlines/scan-line.js';
import { DUPLICATE } from './choose.js';

/** One of the records that hold a tract's outline. */
export interface OutlineRecord {
  readonly record: number;
  readonly shape: ShpRecord;
}

type Rings = Outline['rings'];

interface Part {
  readonly rings: Rings;
  readonly box: Box;
  readonly point: LatLng;
}

/**
 * The outline of a tract whose file has several records of it with equal attributes, as GIS programs split shapes of several
 * parts. A record that covers what an earlier one does is no further part, and rejected. If a part is broken, so is the
 * outline: all of its records are rejected then, and the result is undefined.
 */
export function joinParts(records: readonly OutlineRecord[], geoid: Geoid, tally: Tally): Rings | undefined {
  const whole = records.flatMap(({ shape }) => ('rings' in shape ? [shape.rings] : []));
  if (whole.length < records.length) {
    for (const { record, shape } of records) {
      const why = 'problem' in shape ? shape.problem : 'part of an outline of which another part is broken';
      tally.reject(why, { row: record + 1, geoid });
    }
    return undefined;
  }
  // Nearly every tract has one record, whose internal point nobody asks for.
  if (records.length === 1) return whole[0];
  const parts: Part[] = [];
  whole.forEach((rings, at) => {
    const part = { rings, box: boxOfRings(rings), point: internalPoint(rings) };
    if (parts.some((other) => overlap(part, other))) {
      tally.reject(DUPLICATE, { row: (records[at]?.record ?? 0) + 1, geoid });
      return;
    }
    if (parts.length > 0) tally.note('part of an outline in a record of its own, joined to the others');
    parts.push(part);
  });
  return parts.flatMap(({ rings }) => rings);
}

/** Whether one outline's internal point is in the other. Parts of one outline touch in points at most. */
const overlap = (one: Part, other: Part): boolean => reachesInto(one, other) || reachesInto(other, one);

/** Most parts are far from each other, which their boxes tell: a file may have thousands of records of one tract. */
function reachesInto({ point: { lat, lng } }: Part, { rings, box: [west, south, east, north] }: Part): boolean {
  const [x, y] = [lng * UNITS_PER_DEGREE, lat * UNITS_PER_DEGREE];
  return x >= west && x <= east && y >= south && y <= north && isInside(rings, x, y);
}
