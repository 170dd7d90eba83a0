import { METRICS, SECTIONS } from '../../src/core/metrics.js';
import type { Changes } from '../../src/webhooks/events/changes.js';

/** One changed tract. Values are in the order of METRICS, NaN if missing. */
export interface MadeUpChange {
  readonly geoid: number;
  readonly sections: number;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** Changes made from a list in ascending order of GEOIDs, without any file. */
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

/** Values in the order of METRICS; those not given by path are missing. */
export function valuesWith(known: Readonly<Record<string, number>>): number[] {
  return METRICS.map(({ path }) => known[path] ?? Number.NaN);
}
