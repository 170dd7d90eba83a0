import { stateByFips } from '../../../core/states.js';
import { plainWords } from '../../../core/streets/fold-text.js';
import { pointBeside, SIDE_OFFSET_METRES, type Side } from '../../../core/streets/street-line.js';
import { NO_TRACT } from '../../../format/addresses/shard.js';
import type { AddressShardBuilder } from '../../../format/addresses/shard-builder.js';
import { type DbfTable, readDbf } from '../../files/dbf.js';
import { readShpRecords, requireShapePerRow } from '../../files/shp-records.js';
import { NOT_UTF_8 } from '../../files/text-encoding.js';
import { damagedFile } from '../../input.js';
import type { Tally } from '../../intake/tally.js';
import { type Locate, tractBeside } from '../../outlines/side-tract.js';
import type { PlaceAt } from '../tiger-place/index.js';
import type { CountyFile } from './county-file.js';
import { decodePolyline, POLYLINES } from './lines.js';
import { readSide, type SideRange } from './side-range.js';

/** A row's street, and those of its sides that have house numbers. */
interface Row {
  readonly street: string;
  readonly sides: readonly (readonly [Side, SideRange])[];
}

/** Finds what lies beside a street: its tract and its place. */
export interface Surroundings {
  readonly locate: Locate;
  /** Undefined if no places are loaded. */
  readonly placeAt: PlaceAt | undefined;
}

/**
 * Reads a county's file into its state's shard and accounts for the rows. Only one county is in memory at a time. Throws
 * `InputError` on a file that cannot be read to its end.
 */
export async function readCounty(
  file: CountyFile,
  builder: AddressShardBuilder,
  { locate, placeAt }: Surroundings,
  tally: Tally,
): Promise<void> {
  const table = await readDbf(file.set.dbf);
  const rows = readRows(table, file, tally);
  const edges = new Map<string, { readonly edge: number; readonly line: Int32Array }>();
  const shapeCount = await readShpRecords(
    file.set.shp,
    POLYLINES,
    (record) => rows[record] !== undefined,
    (record, content) => {
      const row = rows[record];
      const shape = decodePolyline(content);
      if (!shape) throw damagedFile(file.set.shp.label, `broken line in record ${record + 1}`);
      if (!row) return;
      if ('problem' in shape) {
        tally.reject(shape.problem, { row: record + 1 });
        return;
      }
      // Rows of one stretch (other names, further numbers along it) share its line.
      const tlid = table.cell(record, file.columns.tlid);
      const known = tlid === '' ? undefined : edges.get(tlid);
      const { edge, line } = known ?? { edge: builder.addEdge(shape.line), line: shape.line };
      if (!known) edges.set(tlid, { edge, line });
      for (const [side, range] of row.sides) {
        const tract = tractBeside(line, side, locate);
        if (tract === NO_TRACT) tally.note('address range outside all loaded outlines');
        builder.addRange({ street: row.street, ...range, side, edge, tract });
        const place = range.zip === '' ? undefined : placeAt?.(pointBeside(line, 0.5, side, SIDE_OFFSET_METRES));
        if (place !== undefined) builder.addCity(range.zip, place);
      }
    },
  );
  requireShapePerRow(file.set.label, shapeCount, table.rowCount);
}

/** By record, the rows with a street name and house numbers; the others are accounted for and undefined. */
function readRows(table: DbfTable, { columns, countyFips }: CountyFile, tally: Tally): (Row | undefined)[] {
  const state = stateByFips(countyFips.slice(0, 2))?.abbreviation ?? null;
  const rows = Array.from({ length: table.rowCount }, (_, row) => {
    tally.read++;
    tally.row = row + 1;
    const street = table.isDeleted(row) ? '' : table.cell(row, columns.street);
    const found = (['left', 'right'] as const).map(
      (side) => [side, readSide(table, row, columns[side], state)] as const,
    );
    const sides = found.flatMap(([side, range]) => (typeof range === 'string' ? [] : [[side, range] as const]));
    const broken = found.filter(([, range]) => range === 'no range').length;
    if (table.isDeleted(row)) tally.reject('marked as deleted');
    else if (sides.length === 0 && broken === 0) tally.leave('no house numbers');
    else if (plainWords(street).length === 0) tally.reject('house numbers without a street name');
    else if (sides.length === 0) tally.reject('house numbers that form no range');
    else {
      if (table.isInOtherEncoding(row)) tally.note(NOT_UTF_8);
      if (broken > 0) tally.note('house numbers of one side that form no range');
      for (const [, range] of sides) noteZip(range, tally);
      return { street, sides };
    }
    return undefined;
  });
  tally.row = 0;
  return rows;
}

function noteZip({ zip, repairedZip }: SideRange, tally: Tally): void {
  if (zip === '') tally.note('address range without a ZIP');
  else if (repairedZip) tally.note('leading zero of the ZIP restored');
}
