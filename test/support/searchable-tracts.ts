import { METRICS } from '../../src/core/metrics.js';
import { buildPointIndex, openPointIndex } from '../../src/format/point-index.js';
import { textTable } from './text-table.js';
import { writtenSummaries } from './written-summaries.js';

/** A made-up tract; `value` is its first metric, and each further metric is greater by 1. */
export interface SearchableTract {
  readonly geoid: number;
  readonly name: string;
  readonly lat: number;
  readonly lng: number;
  readonly value: number;
}

/** The parts of a tracts file that a radius search uses, with summaries as the writer makes them; GEOIDs must ascend. */
export function searchableTracts(tracts: readonly SearchableTract[]) {
  const columns = {
    geoids: Float64Array.from(tracts, ({ geoid }) => geoid),
    lats: Float64Array.from(tracts, ({ lat }) => lat),
    lngs: Float64Array.from(tracts, ({ lng }) => lng),
    values: METRICS.map((_, at) => Float64Array.from(tracts, ({ value }) => value + at)),
  };
  const names = textTable((row) => tracts[row]?.name ?? '');
  return {
    ...columns,
    names,
    pointIndex: openPointIndex(buildPointIndex(columns.lngs, columns.lats).buffer),
    summaries: writtenSummaries({ ...columns, names }),
  };
}
