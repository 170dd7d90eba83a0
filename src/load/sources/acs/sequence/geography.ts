import { readDelimited } from '../../../files/delimited.js';
import { InputError, type InputFile } from '../../../input.js';
import { cellAt } from '../../columns.js';

/** A tract, as a geography file gives it. */
export interface TractRecord {
  readonly geoid: string;
  /** `Census Tract 401, Kent County, Delaware`. */
  readonly name: string;
}

/** A state's tracts in one year by record number (LOGRECNO); null for records of other geographies. */
export type TractRecords = ReadonlyMap<string, TractRecord | null>;

/** Columns of the geography file, which has no header. See the appendix of the summary file's technical documentation. */
const COLUMNS = { state: 1, summaryLevel: 2, record: 4, geoId: 48, name: 49 } as const;
/** Summary level 140, component 00. */
const TRACT_GEO_ID = /^14000US(\d{11})$/;

/**
 * Reads a year's `g<year>5<state>.csv`, which the Census Bureau writes in Latin-1; `state` is in lower case. Throws
 * `InputError` naming file and line, also if the file is another state's: record numbers occur in every state.
 */
export async function readGeography(file: InputFile, state: string): Promise<TractRecords> {
  const records = new Map<string, TractRecord | null>();
  const take = (cells: readonly string[], line: number): void => {
    const fault = (what: string): InputError => new InputError(`${file.label}, line ${line}: ${what}`);
    if (cells.length <= COLUMNS.name) throw fault('not a row of a geography file');
    const ofState = cellAt(cells, COLUMNS.state);
    if (ofState.toLowerCase() !== state) throw fault(`by its name of ${state}, but this row is of ${ofState}`);
    const record = cellAt(cells, COLUMNS.record);
    if (records.has(record)) throw fault(`record ${record} occurs twice`);
    if (cellAt(cells, COLUMNS.summaryLevel) !== '140') {
      records.set(record, null);
      return;
    }
    const [, geoid] = TRACT_GEO_ID.exec(cellAt(cells, COLUMNS.geoId)) ?? [];
    if (geoid === undefined) throw fault('a tract without its GEOID');
    records.set(record, { geoid, name: cellAt(cells, COLUMNS.name) });
  };
  const start = (cells: readonly string[]): typeof take => {
    take(cells, 1);
    return take;
  };
  await readDelimited(file, { delimiter: ',', headless: true, start });
  return records;
}
