import { readDelimited } from '../../../files/delimited.js';
import { InputError, type InputFile } from '../../../input.js';
import type { LoadSink } from '../../../intake/load-sink.js';
import { cellAt } from '../../columns.js';
import { type AcsRows, createAcsRows } from '../acs-rows.js';
import type { AcsHeader } from '../columns.js';
import { acsTable } from '../tables.js';
import type { AcsVintage } from '../vintage.js';
import type { TractRecords } from './geography.js';
import type { TablePlace } from './lookup.js';

/** The columns before the estimates: file, file type, state, iteration (not read), sequence, record number. */
const COLUMNS = { file: 0, type: 1, state: 2, sequence: 4, record: 5 } as const;

/** What the first columns of a sequence file's line say. */
export interface SequenceHead {
  /** `e` for estimates, `m` for their margins of error. */
  readonly kind: 'e' | 'm';
  /** The last year of the estimates, and how many years they cover. */
  readonly year: number;
  readonly span: number;
  /** Two letters, in lower case. */
  readonly state: string;
  readonly sequence: number;
}

/** Reads a line's first columns; undefined if they are not those of a sequence file. */
export function sequenceHead(cells: readonly string[]): SequenceHead | undefined {
  const [, year, kind, span] = /^(20\d\d)([em])([135])$/.exec(cellAt(cells, COLUMNS.type)) ?? [];
  const [state, sequence] = [cellAt(cells, COLUMNS.state).toLowerCase(), Number(cellAt(cells, COLUMNS.sequence))];
  if (cellAt(cells, COLUMNS.file) !== 'ACSSF' || !/^[a-z]{2}$/.test(state) || !(sequence > 0)) return undefined;
  return kind === 'e' || kind === 'm' ? { kind, year: Number(year), span: Number(span), state, sequence } : undefined;
}

/**
 * Reads the tracts of a sequence file of estimates, `e<year>5<state><sequence>000.txt`, with the year's lookup and the
 * state's geography file. Throws `InputError` naming the file, and the line if one line is at fault.
 */
export async function readSequence(
  file: InputFile,
  head: SequenceHead,
  vintage: AcsVintage,
  product: string,
  sink: LoadSink,
): Promise<void> {
  const { label } = file;
  const places = sink.acsSequences.tables(head.year, head.sequence, label);
  if (places.length === 0) {
    sink.tally('acs', product, label).note('file without a table that is used here');
    return;
  }
  const records = await sink.acsSequences.records(head.year, head.state, label);
  const header = headerOf(places);
  const rows = createAcsRows({ label, header, vintage, partial: false }, sink);
  const taker = createTaker(label, head, records, rows);
  const needed = Math.max(...header.columns.values()) + 1;
  await readDelimited(file, {
    delimiter: ',',
    headless: true,
    start: (cells) => {
      if (cells.length < needed) {
        const why = `it has ${cells.length} columns, but its tables reach to column ${needed} by the lookup of ${head.year}`;
        throw new InputError(`${label} (${product}): ${why}; is the lookup of that year?`);
      }
      taker.take(cells, 1);
      return taker.take;
    },
  });
  if (taker.tracts() === 0) throw new InputError(`${label} (${product}): it has no census tracts`);
  rows.finish();
}

function createTaker(
  label: string,
  head: SequenceHead,
  records: TractRecords,
  rows: AcsRows,
): { take(cells: readonly string[], line: number): void; tracts(): number } {
  let width = 0;
  let tracts = 0;
  return {
    tracts: () => tracts,
    take: (cells, line) => {
      width ||= cells.length;
      rows.at(line);
      const { year, state, sequence, kind } = sequenceHead(cells) ?? {};
      if (year !== head.year || state !== head.state || sequence !== head.sequence || kind !== 'e') {
        throw new InputError(`${label}, line ${line}: not of the same state and sequence as the lines before`);
      }
      const record = records.get(cellAt(cells, COLUMNS.record));
      if (record) tracts++;
      if (cells.length !== width) rows.reject('ragged row');
      else if (record === undefined)
        rows.reject('record number not in the geography file', { value: cellAt(cells, COLUMNS.record) });
      else if (record === null) rows.leave('not a tract');
      else rows.add(record.geoid, record.name, cells);
    },
  };
}

/** The columns of the tables' lines, in the form in which other ACS files' headers are read. */
function headerOf(places: readonly TablePlace[]): AcsHeader {
  const columns = new Map<string, number>();
  for (const { table, firstColumn } of places) {
    for (const { parts, whole } of acsTable(table)?.values ?? []) {
      for (const { code } of whole ? [...parts, whole] : parts) {
        columns.set(code, firstColumn + Number(code.slice(code.lastIndexOf('_') + 1)) - 1);
      }
    }
  }
  return { columns, repeated: new Map(), margins: new Map(), labels: [] };
}
