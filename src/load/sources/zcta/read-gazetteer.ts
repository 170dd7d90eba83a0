import type { TextProbe } from '../../files/probe.js';
import type { LoadSink } from '../../intake/load-sink.js';
import { requireColumns } from '../columns.js';
import { parseDecimal } from '../number-cell.js';
import { positionFault } from '../position-fault.js';
import { type ByteRowTaker, readByteTable } from '../read-byte-table.js';

export const ZIP_GAZETTEER_COLUMNS = { zip: ['GEOID'], lat: ['INTPTLAT'], lng: ['INTPTLONG'] } as const;

/** With or without leading zeros, of which Puerto Rico's have two. */
const ZCTA = /^\d{3,5}$/;

/** Reads the internal points of ZCTAs. Throws `InputError` if a column is missing. */
export async function readZipGazetteer(probe: TextProbe, product: string, sink: LoadSink): Promise<void> {
  const tally = sink.tally('zcta', product, probe.file.label);
  const start = (header: readonly string[]): ByteRowTaker => {
    const columns = requireColumns(probe.file.label, header, ZIP_GAZETTEER_COLUMNS);
    return (row) => {
      const text = row.text(columns.zip);
      if (!ZCTA.test(text)) return tally.reject('not a ZCTA', { column: 'GEOID', value: text });
      const zip = text.padStart(5, '0');
      if (zip !== text) tally.note('leading zero of the ZIP restored');
      const number = (column: number): number => parseDecimal(row.text(column)) ?? Number.NaN;
      const point = { lat: number(columns.lat), lng: number(columns.lng) };
      const fault = positionFault(point);
      if (fault) tally.reject(fault, { column: 'GEOID', value: zip });
      else if (!sink.providers.zipPoints.addPoint(zip, point)) tally.leave('in another gazetteer');
    };
  };
  await readByteTable(probe, tally, start);
}
