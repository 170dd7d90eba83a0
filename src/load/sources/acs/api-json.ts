import { messageOf } from '../../../core/message-of.js';
import { firstBytes } from '../../files/read-head.js';
import { InputError, type InputFile } from '../../input.js';
import type { LoadSink } from '../../intake/load-sink.js';
import { type ColumnNames, cellAt, findColumn, requireColumns } from '../columns.js';
import { noRow } from '../read-table.js';
import { createAcsRows } from './acs-rows.js';
import { acsHeader } from './columns.js';
import { geoIdKind, geoidOfGeoId, refusalOfGeoId } from './geo-id.js';
import type { AcsVintage } from './vintage.js';

/** An answer is parsed as one string, and V8's longest is about this; the nation's tracts for one table are 10 MB. */
const MAX_JSON_BYTES = 512 * 1024 * 1024 - 1024;

/** The column names of a Census API answer, read from the file's first bytes; undefined for other text. */
export function apiHeader(head: string): readonly string[] | undefined {
  const first = /^\uFEFF?\s*\[\s*(\[[^\]]*\])/.exec(head)?.[1];
  if (first === undefined) return undefined;
  try {
    const names: unknown = JSON.parse(first);
    return Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : undefined;
  } catch {
    return undefined;
  }
}

/** The column of a row's GEO_ID in the answer to a query by these, as data.census.gov words them; it has no `tract`. */
export const API_GEO_ID: ColumnNames = ['ucgid'];

/**
 * Reads a Census API answer: an array of rows, the first the column names, with `state`, `county` and `tract`, or with
 * `ucgid`. Throws `InputError` if the file is no such answer, or has no row of a tract.
 */
export async function readApiJson(file: InputFile, vintage: AcsVintage, sink: LoadSink): Promise<void> {
  const [names, ...rows] = await parseAnswer(file);
  if (!names) throw new InputError(`${file.label}: the answer is empty`);
  if (rows.length === 0) throw noRow(file.label);
  const geoIdOf = geoIdReader(file.label, names);
  const nameColumn = findColumn(names, ['NAME']);
  // A variable that a query requests twice, by itself and with its group, is in the answer twice with the same values.
  const header = { ...acsHeader(names), repeated: new Map<string, number>() };
  const taker = createAcsRows({ label: file.label, header, vintage, partial: true }, sink);
  let [tracts, otherGeoId] = [0, ''];
  for (const [index, cells] of rows.entries()) {
    // Row 1 holds the names.
    taker.at(index + 2);
    if (cells.length !== names.length) {
      taker.reject('ragged row');
      continue;
    }
    const geoId = geoIdOf(cells);
    if (geoIdKind(geoId) === 'other geography') {
      otherGeoId = geoId;
      taker.leave('not a tract');
      continue;
    }
    tracts++;
    taker.add(geoidOfGeoId(geoId), cellAt(cells, nameColumn), cells);
  }
  if (tracts === 0 && otherGeoId !== '') throw new InputError(`${file.label}: ${refusalOfGeoId(otherGeoId)}`);
  taker.finish();
}

/** Gives a row's GEO_ID, or the GEOID that its columns make up. */
function geoIdReader(label: string, names: readonly string[]): (cells: readonly string[]) => string {
  const column = findColumn(names, API_GEO_ID);
  if (column !== undefined) return (cells) => cellAt(cells, column);
  const wanted = { state: ['state'], county: ['county'], tract: ['tract'] };
  const { state, county, tract } = requireColumns(label, names, wanted);
  return (cells) => [state, county, tract].map((part) => cellAt(cells, part)).join('');
}

async function parseAnswer(file: InputFile): Promise<string[][]> {
  const fault = (what: string): InputError => new InputError(`${file.label}: ${what}`);
  const text = await readWhole(file);
  let answer: unknown;
  try {
    answer = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw fault(`broken JSON (${messageOf(error)}); is the download complete?`);
  }
  if (!Array.isArray(answer)) throw fault('not a Census API answer: no array of rows');
  return answer.map((row: unknown) => {
    if (!Array.isArray(row)) throw fault('not a Census API answer: a row is not an array');
    return row.map((cell: unknown) => (cell === null ? '' : String(cell)));
  });
}

async function readWhole(file: InputFile): Promise<string> {
  const bytes = await firstBytes(file, MAX_JSON_BYTES + 1);
  if (bytes.byteLength <= MAX_JSON_BYTES) return bytes.toString('utf8');
  throw new InputError(`${file.label}: more than 512 MiB of JSON; query fewer tables or states at a time`);
}
