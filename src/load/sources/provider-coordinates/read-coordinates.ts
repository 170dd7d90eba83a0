import type { LatLng } from '../../../core/coordinates.js';
import type { ByteRow } from '../../files/byte-rows.js';
import type { LoadSink, TextProbe } from '../../model.js';
import { readNpi } from '../../providers/npi.js';
import { type ColumnNames, optionalColumn, requireColumns } from '../columns.js';
import { parseDecimal } from '../number-cell.js';
import { positionFault } from '../position-fault.js';
import { type ByteRowUser, readByteTable } from '../read-byte-table.js';

export const LAT_COLUMNS: ColumnNames = ['lat', 'latitude'];
export const LNG_COLUMNS: ColumnNames = ['lng', 'lon', 'longitude'];

/** Reads coordinates of providers that other files tell of. Throws `InputError` where a column is missing. */
export async function readCoordinates(probe: TextProbe, product: string, sink: LoadSink): Promise<void> {
  const tally = sink.tally('provider-coordinates', product, probe.file.label);
  const start = (header: readonly string[]): ByteRowUser => {
    const columns = requireColumns(probe.file.label, header, { npi: ['npi'], lat: LAT_COLUMNS, lng: LNG_COLUMNS });
    const tract = optionalColumn(probe.file.label, header, ['tract_fips']);
    return (row) => {
      const npi = readNpi(row.text(columns.npi));
      if (npi === undefined) return tally.reject('not an NPI', { column: 'NPI', value: row.text(columns.npi) });
      const point = pointIn(row, columns);
      const fault = positionFault(point);
      if (fault) return tally.reject(fault);
      sink.providers.coordinates.add({ npi, ...point, tractFips: tractIn(row, tract), tally, alone: true });
    };
  };
  await readByteTable(probe, tally, start);
}

/** A row's coordinates in degrees; NaN where a cell is no number. */
export function pointIn(row: ByteRow, columns: { readonly lat: number; readonly lng: number }): LatLng {
  const number = (column: number): number => parseDecimal(row.text(column)) ?? Number.NaN;
  return { lat: number(columns.lat), lng: number(columns.lng) };
}

/** The tract that a row names, as a number, so that a lost leading zero does no harm; NaN where it names none. */
export function tractIn(row: ByteRow, column: number | undefined): number {
  return /^\d{10,11}(\.0+)?$/.test(row.text(column)) ? Number(row.text(column)) : Number.NaN;
}
