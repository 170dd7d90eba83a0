import { countyFipsOf, geoidFromNumber, stateFipsOf } from '../core/geoid.js';
import { SCOPES, type Scope } from '../format/tracts-file.js';
import {
  areaAround,
  averageOf,
  COMPARED_COLUMNS,
  comparedValue,
  storedRank,
  type TractsWithAverages,
} from './areas.js';

/** Writes the body of a ranking (SPEC 4.6) for the tract of a row, as JSON. */
export type WriteRankings = (row: number) => string;

/**
 * Rankings of a dataset's tracts: where each stands among others (SPEC 2.9), as the percentage of them strictly below with
 * one decimal, and its values beside the plain means of the areas around it, with four; null is unknown. The texts of ranks
 * and means are made once, which leaves a fifth of the time that objects and `JSON.stringify` took.
 */
export function createRankings(tracts: TractsWithAverages): WriteRankings {
  const meansAround = createMeans(tracts);
  return (row) => {
    const geoid = geoidFromNumber(tracts.geoids[row] ?? Number.NaN);
    const [county, state, national] = SCOPES.map((scope) => meansAround(row, scope));
    const rank = (scope: Scope, metricAt: number): string =>
      PERCENTAGES[storedRank(tracts, row, scope, metricAt)] ?? 'null';
    const rankings: string[] = [];
    const averages: string[] = [];
    COMPARED_COLUMNS.forEach(({ key }, at) => {
      // A finite number's text is its JSON.
      const value = String(comparedValue(tracts, row, at));
      rankings.push(
        `{"metric":"${key}","value":${value},"county_percentile":${rank('county', at)},` +
          `"state_percentile":${rank('state', at)},"national_percentile":${rank('national', at)}}`,
      );
      averages.push(
        `{"metric":"${key}","tract_value":${value},"county_avg":${county?.[at]},` +
          `"state_avg":${state?.[at]},"national_avg":${national?.[at]}}`,
      );
    });
    return (
      `{"geoid":"${geoid}","name":${JSON.stringify(tracts.names.text(row))},"state_fips":"${stateFipsOf(geoid)}",` +
      `"county_fips":"${countyFipsOf(geoid)}","rankings":[${rankings.join()}],"averages":[${averages.join()}]}`
    );
  };
}

/** The text of each stored rank, which is in tenths of a percent. */
const PERCENTAGES: readonly string[] = Array.from({ length: 1001 }, (_, tenths) => String(tenths / 10));

/** The texts of the means of the compared metrics over the area around a tract; each area's are made when first asked for. */
function createMeans(tracts: TractsWithAverages): (row: number, scope: Scope) => readonly string[] {
  const known = new Map<Scope, Map<number, readonly string[]>>(SCOPES.map((scope) => [scope, new Map()]));
  return (row, scope) => {
    const area = areaAround(tracts, row, scope);
    const ofScope = known.get(scope);
    let means = ofScope?.get(area);
    if (!means) {
      means = COMPARED_COLUMNS.map((_, metricAt) => String(averageOf(tracts, scope, area, metricAt)));
      ofScope?.set(area, means);
    }
    return means;
  };
}
