import type { Geoid } from '../../../core/geoid.js';
import type { TextProbe } from '../../files/probe.js';
import type { Example } from '../../intake/example.js';
import type { LoadSink } from '../../intake/load-sink.js';
import { FIRST_YEAR_OF_2020_TRACTS } from '../../source-id.js';
import { cellAt, requireColumns } from '../columns.js';
import { parseDecimal } from '../number-cell.js';
import { positionFault } from '../position-fault.js';
import { type RowTaker, readTable } from '../read-table.js';
import { takeTract } from '../tract-field.js';

export const GAZETTEER_COLUMNS = {
  geoid: ['GEOID'],
  land: ['ALAND'],
  water: ['AWATER'],
  lat: ['INTPTLAT'],
  lng: ['INTPTLONG'],
} as const;

/**
 * Reads a tract gazetteer into the spine; the rows of a gazetteer of 2010 tracts are left out. Throws `InputError` if a
 * column is missing.
 */
export async function readGazetteer(probe: TextProbe, product: string, year: number, sink: LoadSink): Promise<void> {
  const tally = sink.tally('gazetteer', product, probe.file.label);
  const start = (header: readonly string[]): RowTaker => {
    const columns = requireColumns(probe.file.label, header, GAZETTEER_COLUMNS);
    const seen = new Set<Geoid>();
    return (cells) => {
      const field = takeTract(cellAt(cells, columns.geoid), sink, tally, header[columns.geoid]);
      if (!field) return;
      // The service does not answer for tracts of 2010.
      if (year < FIRST_YEAR_OF_2020_TRACTS) return tally.leave('2010 tract');
      const number = (column: number): number => parseDecimal(cellAt(cells, column)) ?? Number.NaN;
      const position = { lat: number(columns.lat), lng: number(columns.lng) };
      const areas = { landSqm: number(columns.land), waterSqm: number(columns.water) };
      const fault = positionFault(position);
      const { geoid } = field;
      const inColumns = (...at: number[]): Example => ({
        geoid,
        column: at.map((column) => header[column]).join(','),
        value: at.map((column) => cellAt(cells, column)).join(','),
      });
      // The gazetteer itself defines which tracts exist, so nothing could confirm a repaired GEOID.
      if (field.padded) tally.reject('GEOID lost its leading zero', inColumns(columns.geoid));
      else if (fault) tally.reject(fault, inColumns(columns.lat, columns.lng));
      else if (!(areas.landSqm >= 0 && areas.waterSqm >= 0)) {
        tally.reject('area is not a number, or below 0', inColumns(columns.land, columns.water));
      } else if (seen.has(geoid)) tally.reject('duplicate GEOID', { geoid });
      else {
        seen.add(geoid);
        sink.addTract({ geoid, ...position, ...areas }, year, tally);
      }
    };
  };
  await readTable(probe, tally, start);
}
