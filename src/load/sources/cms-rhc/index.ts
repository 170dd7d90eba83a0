import type { TextProbe } from '../../files/probe.js';
import type { InputFile } from '../../input.js';
import type { LoadSink } from '../../intake/load-sink.js';
import { readNpi } from '../../providers/npi.js';
import { organizationName } from '../../providers/text/organization-name.js';
import { hasColumns, requireColumns } from '../columns.js';
import type { KnownHeader } from '../known-header.js';
import { refuseNpi, takePractice, whyUnwanted } from '../provider-practice.js';
import { type ByteRowTaker, readByteTable } from '../read-byte-table.js';
import { newestFirst, READ_TURNS } from '../read-turns.js';
import type { Recognition } from '../recognition.js';

const PRODUCT = 'CMS Rural Health Clinic Enrollments';
const OFFICIAL_NAME = /^Rural_?Health_?Clinic_?Enrollments.*\.csv$/i;

const COLUMNS = {
  npi: ['NPI'],
  organization: ['ORGANIZATION NAME'],
  trade: ['DOING BUSINESS AS NAME'],
  line1: ['ADDRESS LINE 1'],
  line2: ['ADDRESS LINE 2'],
  city: ['CITY'],
  state: ['STATE'],
  zip: ['ZIP CODE'],
} as const;

export const CMS_RHC_HEADER: KnownHeader = {
  signature: ['ENROLLMENT ID', 'NPI', 'PROVIDER TYPE TEXT', 'ORGANIZATION NAME'],
  reads: COLUMNS,
  productOf: (probe) => (isOfClinics(probe) ? PRODUCT : undefined),
};

/** The month and day of a list, which is published monthly: `Rural_Health_Clinic_Enrollments_2024.01.02.csv`. */
const DAY = /(?<!\d)(20\d\d)[._-]?(\d\d)[._-]?(\d\d)?(?!\d)/;

function dayOf({ name }: InputFile): number | undefined {
  const [, year, month, day = '00'] = DAY.exec(name) ?? [];
  return year === undefined ? undefined : Number(`${year}${month}${day}`);
}

/** Tells clinics from enrollments of other kinds of providers, which have the same columns. */
const isOfClinics = ({ rows }: TextProbe): boolean =>
  rows.some((cells) => cells.some((cell) => /rural health clinic/i.test(cell)));

/** Recognizes CMS's list of the rural health clinics enrolled in Medicare, of any month. */
export function recognizeCmsRhc(probe: TextProbe): Recognition | undefined {
  const byHeader = hasColumns(probe.header, ...CMS_RHC_HEADER.signature) && isOfClinics(probe);
  if (!OFFICIAL_NAME.test(probe.file.name) && !byHeader) return undefined;
  return {
    source: 'cms-rhc',
    product: PRODUCT,
    turn: newestFirst(READ_TURNS.listedSites, dayOf(probe.file)),
    judgesDamage: true,
    read: (sink) => readRuralClinics(probe, sink),
  };
}

/**
 * Reads the clinics that no newer list has; a clinic's trade name (doing business as) takes precedence over the organization's
 * name.
 */
async function readRuralClinics(probe: TextProbe, sink: LoadSink): Promise<void> {
  const tally = sink.tally('cms-rhc', PRODUCT, probe.file.label);
  const start = (header: readonly string[]): ByteRowTaker => {
    const columns = requireColumns(probe.file.label, header, COLUMNS);
    return (row) => {
      const unwanted = whyUnwanted(row.text(columns.state), '', sink);
      if (unwanted !== undefined) return tally.leave(unwanted);
      const npi = readNpi(row.text(columns.npi));
      if (npi === undefined) return refuseNpi(undefined, tally, row.text(columns.npi));
      const known = sink.providers.ruralClinics.get(npi);
      if (known) {
        return tally.leave(known.tally === tally ? 'NPI enrolled more than once' : 'superseded by a newer file');
      }
      const names = [row.text(columns.trade), row.text(columns.organization)].map(organizationName);
      const [providerName, ...otherNames] = names.filter((name) => name !== '');
      if (providerName === undefined) return tally.reject('no name');
      const practice = takePractice(row, columns, tally);
      if (!practice) return;
      sink.providers.ruralClinics.set(npi, { npi, providerName, otherNames, ...practice, position: undefined, tally });
    };
  };
  await readByteTable(probe, tally, start);
}
