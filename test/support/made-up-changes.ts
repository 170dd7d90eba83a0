import { METRICS, SECTIONS } from '../../src/core/metrics.js';
import type { Changes } from '../../src/webhooks/changes.js';

/** One changed tract; values by position in METRICS, NaN where there is none. */
export interface MadeUpChange {
  readonly geoid: number;
  readonly sections: number;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** Changes out of a list in the order of GEOIDs, without any file. */
export function madeUpChanges(list: readonly MadeUpChange[]): Changes {
  const rows = Int32Array.from(list, (_, at) => at);
  return {
    diff: {
      geoids: Float64Array.from(list, ({ geoid }) => geoid),
      sections: Uint8Array.from(list, ({ sections }) => sections),
      rowsBefore: rows,
      rowsAfter: rows,
    },
    valueBefore: (metric, at) => list[at]?.before[metric] ?? Number.NaN,
    valueAfter: (metric, at) => list[at]?.after[metric] ?? Number.NaN,
    release: () => {},
  };
}

export const ALL_SECTIONS = (1 << SECTIONS.length) - 1;

/** Values of which only these are known, by path. */
export function valuesWith(known: Readonly<Record<string, number>>): number[] {
  return METRICS.map(({ path }) => known[path] ?? Number.NaN);
}
