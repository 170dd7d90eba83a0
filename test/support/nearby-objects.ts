import { geoidFromNumber } from '../../src/core/geoid.js';
import { roundTo } from '../../src/core/rounding.js';
import type { TractsFile } from '../../src/format/tracts-file.js';
import { COMPARED_COLUMNS, comparedValue } from '../../src/query/areas.js';
import { pointsWithin } from '../../src/query/around/points-within.js';
import type { NearbyQuery, TractPoints } from '../../src/query/nearby.js';

/** What a nearby search needs of the tracts' file where it makes objects. */
export type SearchableTracts = TractPoints & Pick<TractsFile, 'geoids' | 'names' | 'values'>;

/** The answer to a nearby search as objects, made of columns: what the finished summaries of the file must say, too. */
export function nearbyObjects(tracts: SearchableTracts, query: NearbyQuery) {
  const { lats, lngs, pointIndex } = tracts;
  const { total, page } = pointsWithin({ lats, lngs, trees: [{ index: pointIndex }] }, query);
  const { center, radiusMiles, limit, offset } = query;
  return {
    center: { lat: center.lat, lng: center.lng },
    radius_miles: radiusMiles,
    count: page.length,
    total,
    offset,
    limit,
    tracts: page.map(({ row, distanceMiles }) => ({
      geoid: geoidFromNumber(tracts.geoids[row] ?? Number.NaN),
      name: tracts.names.text(row),
      distance_miles: roundTo(distanceMiles, 2),
      ...Object.fromEntries(COMPARED_COLUMNS.map(({ key }, at) => [key, comparedValue(tracts, row, at)])),
    })),
  };
}
