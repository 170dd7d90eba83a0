import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { METRICS } from '../../src/core/metrics.js';
import { bytesInMemory } from '../../src/format/byte-source.js';
import { openContainer } from '../../src/format/container-reader.js';
import { writeContainer } from '../../src/format/container-writer.js';
import { buildPointIndex, openPointIndex } from '../../src/format/point-index.js';
import { openSummaries, summarySections } from '../../src/format/summaries.js';
import { textTable } from './text-table.js';

/** One made-up tract; `value` is its first metric, and each further one is greater by 1. */
export interface MadeUpTract {
  readonly geoid: number;
  readonly name: string;
  readonly lat: number;
  readonly lng: number;
  readonly value: number;
}

/** What a tracts' file has for a search around a point, with its summaries as they are written; GEOIDs must ascend. */
export function searchableTracts(tracts: readonly MadeUpTract[], directory: string) {
  const columns = {
    geoids: Float64Array.from(tracts, ({ geoid }) => geoid),
    lats: Float64Array.from(tracts, ({ lat }) => lat),
    lngs: Float64Array.from(tracts, ({ lng }) => lng),
    values: METRICS.map((_, at) => Float64Array.from(tracts, ({ value }) => value + at)),
  };
  const names = tracts.map(({ name }) => new TextEncoder().encode(name));
  const path = join(directory, 'summaries');
  writeContainer(path, 'summaries', summarySections({ ...columns, names }));
  const bytes = readFileSync(path);
  rmSync(path);
  return {
    ...columns,
    names: textTable((row) => tracts[row]?.name ?? ''),
    pointIndex: openPointIndex(buildPointIndex(columns.lngs, columns.lats).buffer),
    summaries: openSummaries(openContainer(bytesInMemory(path, bytes), 'summaries'), tracts.length),
  };
}
