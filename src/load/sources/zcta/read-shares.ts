import { stateFipsOf } from '../../../core/geoid.js';
import { stateByFips } from '../../../core/states.js';
import type { TextProbe } from '../../files/probe.js';
import type { LoadSink } from '../../intake/load-sink.js';
import { readZip } from '../../providers/text/zip-code.js';
import { requireColumns } from '../columns.js';
import { parseDecimal } from '../number-cell.js';
import { type ByteRowTaker, readByteTable } from '../read-byte-table.js';
import { takeTract } from '../tract-field.js';

/** The column names of a relationship file. */
export interface ShareColumns {
  readonly zip: string;
  readonly tract: string;
  readonly weight: string;
}

/** Reads in which tracts ZIPs lie, and with what weight. Throws `InputError` if a column is missing. */
export async function readShares(
  probe: TextProbe,
  product: string,
  names: ShareColumns,
  sink: LoadSink,
): Promise<void> {
  const tally = sink.tally('zcta', product, probe.file.label);
  const start = (header: readonly string[]): ByteRowTaker => {
    const columns = requireColumns(probe.file.label, header, {
      zip: [names.zip],
      tract: [names.tract],
      weight: [names.weight],
    });
    return (row) => {
      // First, because what is in rows of states that nobody wants must not count.
      const field = takeTract(row.text(columns.tract), sink, tally, names.tract);
      if (!field) return;
      const text = row.text(columns.zip);
      if (text === '') return tally.leave('land of no ZIP');
      const zip = readZip(text, stateByFips(stateFipsOf(field.geoid))?.abbreviation ?? null);
      if (!zip) return tally.reject('not a ZIP', { column: names.zip, value: text });
      const weight = parseDecimal(row.text(columns.weight)) ?? Number.NaN;
      if (!(weight >= 0)) {
        return tally.reject('share is not a number', { column: names.weight, value: row.text(columns.weight) });
      }
      if (zip.repaired) tally.note('leading zero of the ZIP restored');
      sink.providers.zipPoints.addShare(zip.zip, { geoid: field.geoid, weight });
    };
  };
  await readByteTable(probe, tally, start);
}
