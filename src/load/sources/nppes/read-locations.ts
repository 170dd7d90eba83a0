import type { TextProbe } from '../../files/probe.js';
import type { LoadSink } from '../../intake/load-sink.js';
import { NpiSet, readNpi } from '../../providers/npi.js';
import { requireColumns } from '../columns.js';
import { refuseNpi, takePractice, whyUnwanted } from '../provider-practice.js';
import { type ByteRowTaker, readByteTable } from '../read-byte-table.js';

/** What the official column names begin with. One of them has two spaces, so spaces are normalized before comparing. */
const PLACE = 'Provider Secondary Practice Location Address';

/**
 * Reads the further practice locations of providers that are kept. If a newer file lists locations of an NPI, those in an
 * older file are left out. Throws `InputError` if a column is missing.
 */
export async function readLocations(probe: TextProbe, product: string, sink: LoadSink): Promise<void> {
  const tally = sink.tally('nppes', product, probe.file.label);
  const { providers } = sink;
  const own = new NpiSet();
  const start = (header: readonly string[]): ByteRowTaker => {
    const spaced = header.map((name) => name.replace(/\s+/g, ' ').replace(`${PLACE}-`, `${PLACE} -`));
    const columns = requireColumns(probe.file.label, spaced, {
      npi: ['NPI'],
      line1: [`${PLACE} - Address Line 1`],
      line2: [`${PLACE} - Address Line 2`],
      city: [`${PLACE} - City Name`],
      state: [`${PLACE} - State Name`],
      zip: [`${PLACE} - Postal Code`],
      country: [`${PLACE} - Country Code (If outside U.S.)`],
      phone: [`${PLACE} - Telephone Number`],
    });
    return (row) => {
      const npi = readNpi(row.text(columns.npi));
      const unwanted = whyUnwanted(row.text(columns.state), row.text(columns.country), sink);
      if (npi === undefined) return refuseNpi(unwanted, tally, row.text(columns.npi));
      if (!providers.isKept(npi)) return tally.leave('no kept provider has this NPI');
      if (providers.located.has(npi)) return tally.leave('superseded by a newer file');
      own.add(npi);
      if (unwanted !== undefined) return tally.leave(unwanted);
      const practice = takePractice(row, columns, tally);
      if (practice) providers.furtherLocations.push({ npi, ...practice, tally });
    };
  };
  await readByteTable(probe, tally, start);
  providers.located.addAll(own);
}
