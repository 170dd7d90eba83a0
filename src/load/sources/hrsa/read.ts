import type { TextProbe } from '../../files/probe.js';
import type { LoadSink } from '../../intake/load-sink.js';
import { readNpi } from '../../providers/npi.js';
import { nameKey } from '../../providers/site-key.js';
import { organizationName } from '../../providers/text/organization-name.js';
import { optionalColumn, requireColumns } from '../columns.js';
import { positionColumn, readPosition, takePosition } from '../position-cells.js';
import { takePractice, whyUnwanted } from '../provider-practice.js';
import { type ByteRowTaker, readByteTable } from '../read-byte-table.js';
import type { SiteLayout } from './layouts.js';

/** Reads the sites where patients are seen. Throws `InputError` if a column is missing. */
export async function readHealthCenters(
  probe: TextProbe,
  product: string,
  layout: SiteLayout,
  sink: LoadSink,
): Promise<void> {
  const tally = sink.tally('hrsa', product, probe.file.label);
  const seen = sink.providers.healthCenterKeys;
  const start = (header: readonly string[]): ByteRowTaker => {
    const required = requireColumns<keyof SiteLayout['required']>(probe.file.label, header, layout.required);
    const optional = Object.fromEntries(
      Object.entries(layout.optional).map(([key, names]) => [key, optionalColumn(probe.file.label, header, names)]),
    );
    const positions = positionColumn(tally, header, required);
    return (row) => {
      const text = (key: keyof SiteLayout['optional']): string => row.text(optional[key]);
      const unwanted = whyUnwanted(row.text(required.state), '', sink);
      if (unwanted !== undefined) return tally.leave(unwanted);
      if (!/^(?:active)?$/i.test(text('status'))) return tally.leave('site not active');
      if (/^administrative$/i.test(text('kind'))) return tally.leave('administrative site');
      const providerName = organizationName(row.text(required.name));
      if (providerName === '') return tally.reject('no name');
      const practice = takePractice(row, { ...required, zip: optional.zip }, tally);
      if (!practice) return;
      const key = `${nameKey(providerName)}|${practice.practiceAddress}|${practice.practiceCity}|${practice.practiceState}`;
      if (seen.has(key)) return tally.leave('duplicate site');
      seen.add(key);
      const npi = readNpi(text('npi')) ?? null;
      if (npi === null && text('npi') !== '') tally.note('NPI is not valid, so not used');
      // A site without a plausible position is placed by its address or ZIP, like any provider.
      const point = takePosition(readPosition(row, required), positions);
      const position = point && ({ ...point, locationQuality: 'hrsa_site' } as const);
      const otherNames = [organizationName(text('organization'))].filter((name) => name !== '');
      sink.providers.addHealthCenter({ npi, providerName, otherNames, ...practice, position, tally });
    };
  };
  await readByteTable(probe, tally, start);
}
