import { knownOrNull } from '../core/known-or-null.js';
import { COMPARED_METRICS, metricIndex } from '../core/metrics.js';
import type { Scope } from '../core/scopes.js';
import type { Area } from '../format/description.js';
import type { TractsFile } from '../format/tracts-file.js';

/** The compared metrics, in their order, with the columns that hold their values. */
export const COMPARED_COLUMNS: readonly { readonly key: string; readonly column: number }[] = COMPARED_METRICS.map(
  (metric) => ({ key: metric.key, column: metricIndex(metric.path) }),
);

/** A tract's value of a compared metric. */
export function comparedValue(tracts: Pick<TractsFile, 'values'>, row: number, metricAt: number): number | null {
  return knownOrNull(tracts.values[COMPARED_COLUMNS[metricAt]?.column ?? -1]?.[row]);
}

/** The mean of a compared metric over an area, given by its position among the areas of the scope. */
export function averageOf(
  { averages }: Pick<TractsFile, 'averages'>,
  scope: Scope,
  area: number,
  metricAt: number,
): number | null {
  return knownOrNull(averages[scope][area * COMPARED_METRICS.length + metricAt]);
}

/** The position, among the areas of a scope, of the area that contains a tract. */
export function areaAround(tracts: Pick<TractsFile, 'counties' | 'description'>, row: number, scope: Scope): number {
  if (scope === 'national') return 0;
  return scope === 'county' ? (tracts.counties[row] ?? -1) : stateIndex(tracts, row);
}

/** The state that a row belongs to. */
export function stateOf(tracts: Pick<TractsFile, 'description'>, row: number): Area | undefined {
  return tracts.description.states[stateIndex(tracts, row)];
}

/** The county that a row belongs to. */
export function countyOf(tracts: Pick<TractsFile, 'counties' | 'description'>, row: number): Area | undefined {
  return tracts.description.counties[tracts.counties[row] ?? -1];
}

function stateIndex({ description }: Pick<TractsFile, 'description'>, row: number): number {
  return description.states.findIndex(({ firstRow, tractCount }) => row >= firstRow && row < firstRow + tractCount);
}
