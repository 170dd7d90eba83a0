import { geoidFromNumber } from '../core/geoid.js';
import { COMPARED_METRICS, metricIndex } from '../core/metrics.js';
import type { ContainerReader } from './container-reader.js';
import { numbers, type SectionContent } from './container-writer.js';
import { numberJson } from './number-json.js';
import { packedSections, packTexts } from './text-table.js';

/** Each tract's summary (SPEC 2.6) as finished JSON, save that the distance is still to be put in. */
export interface Summaries {
  /** Row r has the bytes from `offsets[r]` up to, not including, `offsets[r + 1]`. */
  readonly offsets: Uint32Array;
  readonly bytes: Uint8Array;
  /** How many of a row's bytes come before the distance. */
  readonly distanceAt: Uint16Array;
}

/** What summaries are made of. */
interface Summarized {
  readonly geoids: Float64Array;
  /** UTF-8. */
  readonly names: readonly Uint8Array[];
  readonly values: readonly Float64Array[];
}

/** The metrics behind the distance: what stands before each one's number, and which column that is from. */
const SUMMARY_COLUMNS = COMPARED_METRICS.map(({ key, path }) => ({ before: `,"${key}":`, column: metricIndex(path) }));

/** The sections `summary/…` of tracts.tctx. */
export function summarySections({ geoids, names, values }: Summarized): SectionContent[] {
  const distanceAt = new Uint16Array(geoids.length);
  const texts = packTexts(geoids.length, (row) => {
    const geoid = geoidFromNumber(geoids[row] ?? Number.NaN);
    const name = JSON.stringify(Buffer.from(names[row] ?? []).toString('utf8'));
    const beforeDistance = `{"geoid":"${geoid}","name":${name},"distance_miles":`;
    distanceAt[row] = Buffer.byteLength(beforeDistance);
    let text = beforeDistance;
    for (const { before, column } of SUMMARY_COLUMNS) text += before + numberJson(values[column]?.[row]);
    return `${text}}`;
  });
  return [...packedSections('summary', texts), numbers('summary/distance-at', distanceAt)];
}

/** Opens the sections that {@link summarySections} made, in place. */
export function openSummaries(container: ContainerReader, rows: number): Summaries {
  return {
    offsets: container.uint32('summary/offset', rows + 1),
    bytes: container.bytes('summary/bytes'),
    distanceAt: container.uint16('summary/distance-at', rows),
  };
}
