import type { ByteRow } from '../../files/byte-rows.js';
import type { TextProbe } from '../../files/probe.js';
import type { LoadSink } from '../../intake/load-sink.js';
import type { Tally } from '../../intake/tally.js';
import { readNpi } from '../../providers/npi.js';
import { type ColumnNames, optionalColumn, requireColumns } from '../columns.js';
import { NO_COORDINATES, type PositionColumns, readPosition } from '../position-cells.js';
import { refuseNpi, whyUnwanted } from '../provider-practice.js';
import { type ByteRowTaker, readByteTable } from '../read-byte-table.js';

export const LAT_COLUMNS: ColumnNames = ['lat', 'latitude'];
export const LNG_COLUMNS: ColumnNames = ['lng', 'lon', 'longitude'];

/** Reads coordinates of providers that other files describe. Throws `InputError` if a column is missing. */
export async function readCoordinates(probe: TextProbe, product: string, sink: LoadSink): Promise<void> {
  const tally = sink.tally('provider-coordinates', product, probe.file.label);
  const start = (header: readonly string[]): ByteRowTaker => {
    const columns = requireColumns(probe.file.label, header, { npi: ['npi'], lat: LAT_COLUMNS, lng: LNG_COLUMNS });
    const tract = optionalColumn(probe.file.label, header, ['tract_fips']);
    const state = optionalColumn(probe.file.label, header, ['state']);
    return (row) => {
      const npi = readNpi(row.text(columns.npi));
      if (npi === undefined) {
        return refuseNpi(whyUnwanted(row.text(state), '', sink), tally, row.text(columns.npi));
      }
      addCoordinates(npi, row, { ...columns, tract }, tally, sink);
    };
  };
  await readByteTable(probe, tally, start);
}

/** Adds the coordinates of a row of which nothing else is read. If there are none, accounts for the row, and is false. */
export function addCoordinates(
  npi: string,
  row: ByteRow,
  columns: PositionColumns & { readonly tract: number | undefined },
  tally: Tally,
  sink: LoadSink,
): boolean {
  const cells = readPosition(row, columns);
  if ('point' in cells) {
    const tractFips = tractIn(row, columns.tract);
    sink.providers.coordinates.add({ npi, ...cells.point, tractFips, tally, alone: true });
    return true;
  }
  if ('missing' in cells) tally.leave(NO_COORDINATES);
  else {
    const { fault, text } = cells;
    sink.providers.addFaultyCoordinates({ npi, fault, text, row: tally.row, tally });
  }
  return false;
}

/** The tract that a row names, as a number, so that a lost leading zero does no harm; NaN if it names none. */
export function tractIn(row: ByteRow, column: number | undefined): number {
  return /^\d{10,11}(\.0+)?$/.test(row.text(column)) ? Number(row.text(column)) : Number.NaN;
}
