import { type ByteText, byteTextOf, sliceByteText } from '../core/byte-text.js';
import { geoidFromNumber } from '../core/geoid.js';
import { CLOSING_BRACE, COMMA } from '../core/json-characters.js';
import { COMPARED_METRICS, metricIndex } from '../core/metrics.js';
import type { ContainerReader } from './container-reader.js';
import { numbers, type SectionContent } from './container-writer.js';
import { numberJson } from './number-json.js';
import { requireAscending } from './require-ascending.js';
import { packedSections, packTexts } from './text-table.js';

/** Each tract's summary (SPEC 2.6) as JSON that is finished except for the distance, which is inserted per answer. */
export interface Summaries {
  /** Row r has the {@link bytes} from `offsets[r]` up to, not including, `offsets[r + 1]`. */
  readonly offsets: Uint32Array;
  readonly bytes: Uint8Array;
  /** How many of a row's bytes come before the distance. */
  readonly distanceAt: Uint16Array;
  /** A row's bytes. */
  text(row: number): ByteText;
}

/** The columns that summaries are made from. */
interface Summarized {
  readonly geoids: Float64Array;
  readonly names: readonly string[];
  readonly values: readonly Float64Array[];
}

const [GEOID, NAME, DISTANCE] = ['{"geoid":"', '","name":', ',"distance_miles":'];
const GEOID_DIGITS = 11;
/** Where the GEOID's digits begin in a summary. */
export const GEOID_AT = GEOID.length;
/** The metrics after the distance: the text before each one's number, and the column that the number comes from. */
const SUMMARY_COLUMNS = COMPARED_METRICS.map(({ key, path }) => ({ before: `,"${key}":`, column: metricIndex(path) }));

/** The sections `summary/…` of tracts.tctx. */
export function summarySections({ geoids, names, values }: Summarized): SectionContent[] {
  const distanceAt = new Uint16Array(geoids.length);
  const texts = packTexts(geoids.length, (row) => {
    const geoid = geoidFromNumber(geoids[row] ?? Number.NaN);
    const name = JSON.stringify(names[row] ?? '');
    const beforeDistance = GEOID + geoid + NAME + name + DISTANCE;
    distanceAt[row] = Buffer.byteLength(beforeDistance);
    let text = beforeDistance;
    for (const { before, column } of SUMMARY_COLUMNS) text += before + numberJson(values[column]?.[row]);
    return `${text}}`;
  });
  return [...packedSections('summary', texts), numbers('summary/distance-at', distanceAt)];
}

/** Opens the sections written by {@link summarySections} in place. */
export function openSummaries(container: ContainerReader, rows: number): Summaries {
  const offsets = container.uint32('summary/offset', rows + 1);
  const bytes = container.bytes('summary/bytes');
  requireAscending(container, 'summary/offset', offsets, bytes.length);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    offsets,
    bytes,
    distanceAt: container.uint16('summary/distance-at', rows),
    text: (row) => byteTextOf(buffer, offsets[row] ?? 0, offsets[row + 1] ?? 0),
  };
}

/** The positions in `bytes` of the parts of one row's summary. */
export interface SummaryParts {
  /** The start and end of `{"geoid":"…","name":"…"`, with which the summary begins. */
  identityStart: number;
  identityEnd: number;
  /** For each compared metric, the start and end of its number. */
  readonly numbers: Uint32Array;
}

/** Empty parts, for {@link findSummaryParts} to fill in. */
export function summaryParts(): SummaryParts {
  return { identityStart: 0, identityEnd: 0, numbers: new Uint32Array(2 * SUMMARY_COLUMNS.length) };
}

/** Fills in the positions of the parts of a row's summary. */
export function findSummaryParts({ offsets, bytes, distanceAt }: Summaries, row: number, parts: SummaryParts): void {
  const end = offsets[row + 1] ?? 0;
  parts.identityStart = offsets[row] ?? 0;
  let at = parts.identityStart + (distanceAt[row] ?? 0);
  parts.identityEnd = at - DISTANCE.length;
  SUMMARY_COLUMNS.forEach(({ before }, metricAt) => {
    at += before.length;
    parts.numbers[2 * metricAt] = at;
    while (at < end && bytes[at] !== COMMA && bytes[at] !== CLOSING_BRACE) at++;
    parts.numbers[2 * metricAt + 1] = at;
  });
}

/** The pieces of a row's summary that other answers use. */
export interface SummaryTexts {
  readonly geoid: ByteText;
  /** JSON, with its quotes. */
  readonly name: ByteText;
  /** `"total_population":…,"sdoh_index":…}`: the compared metrics and the closing brace. */
  readonly values: ByteText;
}

export function summaryTexts(summaries: Summaries, row: number): SummaryTexts {
  const text = summaries.text(row);
  const distanceAt = summaries.distanceAt[row] ?? 0;
  const geoidEnd = GEOID_AT + GEOID_DIGITS;
  return {
    geoid: sliceByteText(text, GEOID_AT, geoidEnd),
    name: sliceByteText(text, geoidEnd + NAME.length, distanceAt - DISTANCE.length),
    values: sliceByteText(text, distanceAt + 1),
  };
}
