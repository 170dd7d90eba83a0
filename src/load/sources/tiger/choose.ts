import { countyKey, type Geoid, stateFipsOf, tractCodeOf } from '../../../core/geoid.js';
import { obtain } from '../../../core/obtain.js';
import type { DbfField } from '../../files/dbf.js';
import { NOT_UTF_8 } from '../../files/text-encoding.js';
import type { LoadSink } from '../../intake/load-sink.js';
import type { Tally } from '../../intake/tally.js';
import type { Bridged } from '../../intake/tract-rows.js';
import { COUNTY_NAME_TRUST } from '../county-names.js';
import { readGeoidField } from '../geoid-field.js';
import { whyNoGeoid } from '../tract-field.js';
import type { TractShapefile } from './recognize.js';

/** A tract's outline in one file. */
export interface OutlineChoice {
  readonly file: TractShapefile;
  /** The record that holds it; several, in the file's order, if their attributes are equal: each may hold a part of it. */
  readonly records: readonly [number, ...number[]];
  readonly tally: Tally;
}

/** While the records are gone through: a tract split into many parts must not copy the list for each. */
interface Candidate extends OutlineChoice {
  readonly records: [number, ...number[]];
}

/** Why the later of two records of a tract in one file is rejected. */
export const DUPLICATE = 'duplicate GEOID';

/**
 * Goes through the attributes of all shapefiles and returns, for each tract, the outlines that there are of it, best first.
 * `currentGeoid` maps a GEOID to the one in use (Connecticut's planning regions), or says why it cannot.
 */
export function chooseOutlines(
  files: readonly TractShapefile[],
  sink: LoadSink,
  currentGeoid: (geoid: Geoid) => Bridged,
): Map<Geoid, OutlineChoice[]> {
  const choices = new Map<Geoid, Candidate[]>();
  for (const file of files) {
    const tally = sink.tally('tiger', file.product, file.set.label);
    for (let record = 0; record < file.table.rowCount; record++) {
      tally.read++;
      tally.row = record + 1;
      const published = publishedGeoid(file, record, sink, tally);
      if (published === undefined) continue;
      if (file.table.isInOtherEncoding(record)) tally.note(NOT_UTF_8);
      const current = currentGeoid(published);
      if (typeof current !== 'string') {
        if ('reject' in current) tally.reject(current.reject, { geoid: published });
        else tally.leave(current.leave);
        continue;
      }
      addChoice(choices, current, { file, records: [record], tally });
      // A tract that has been moved to another county since does not name the present one.
      if (current === published) nameCounty(file, record, published, sink);
    }
    tally.row = 0;
  }
  for (const candidates of choices.values()) candidates.sort((a, b) => b.file.rank - a.file.rank);
  return choices;
}

/** A record's tract, if it is wanted; if not, the record is accounted for. */
function publishedGeoid(file: TractShapefile, record: number, sink: LoadSink, tally: Tally): Geoid | undefined {
  if (file.table.isDeleted(record)) {
    tally.reject('marked as deleted');
    return undefined;
  }
  const text = file.table.cell(record, file.fields.geoid);
  const field = readGeoidField(text);
  const unwanted = field && sink.leaveOut(stateFipsOf(field.geoid));
  if (!field) tally.reject(whyNoGeoid(text), { column: file.fields.geoid.name, value: text });
  else if (unwanted) tally.leave(unwanted);
  else if (file.tractVintage !== 2020) tally.leave('outlines of 2010 tracts');
  else if (!contradictsCode(file, record, field.geoid, tally)) {
    if (field.padded) tally.note('leading zero of the GEOID restored');
    return field.geoid;
  }
  return undefined;
}

/** One to six digits: a program that takes codes for numbers drops their leading zeros. */
const TRACT_CODE = /^\d{1,6}$/;

/**
 * Whether the record's tract code is of another tract than its GEOID, and the record then rejected: the GEOIDs have slipped,
 * were sorted alone or cut off, and without a gazetteer nothing else would tell.
 */
function contradictsCode({ table, fields }: TractShapefile, record: number, geoid: Geoid, tally: Tally): boolean {
  const { tractCode } = fields;
  const code = tractCode === undefined ? '' : table.cell(record, tractCode);
  if (!TRACT_CODE.test(code) || code.padStart(6, '0') === tractCodeOf(geoid)) return false;
  tally.reject('GEOID contradicts the tract code', { geoid, column: tractCode?.name, value: code });
  return true;
}

function addChoice(choices: Map<Geoid, Candidate[]>, geoid: Geoid, choice: Candidate): void {
  const candidates = obtain(choices, geoid, () => []);
  const known = candidates.find(({ file }) => file === choice.file);
  if (!known) {
    candidates.push(choice);
    return;
  }
  const differing = differingFields(choice.file, known.records[0], choice.records[0]);
  if (differing.length === 0) known.records.push(...choice.records);
  else rejectDiffering(choice, geoid, known.records[0], differing);
}

/** What is read of two records, apart from their shapes, and differs. GIS programs split a shape into equal records. */
function differingFields({ table, fields }: TractShapefile, one: number, other: number): DbfField[] {
  return Object.values(fields).filter(
    (field: DbfField | undefined) => field && table.cell(one, field) !== table.cell(other, field),
  );
}

/** A part of a split shape whose area was computed anew, for example: its user must know why it is no part. */
function rejectDiffering(
  { file: { set, table }, records: [record], tally }: Candidate,
  geoid: Geoid,
  earlier: number,
  fields: readonly DbfField[],
): void {
  const [first] = fields;
  tally.reject(`${DUPLICATE} with another ${fields.map(({ name }) => name).join(', ')}`, {
    geoid,
    ...(first ? { column: first.name, value: table.cell(record, first) } : {}),
    contradicts: `${set.label}, row ${earlier + 1}`,
  });
}

function nameCounty(file: TractShapefile, record: number, geoid: Geoid, sink: LoadSink): void {
  if (!file.fields.countyName) return;
  const name = file.table.cell(record, file.fields.countyName);
  if (name) sink.addCountyName(countyKey(geoid), name, COUNTY_NAME_TRUST.tiger);
}
