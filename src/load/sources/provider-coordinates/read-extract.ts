import type { ByteRow } from '../../files/byte-rows.js';
import type { TextProbe } from '../../files/probe.js';
import type { LoadSink } from '../../intake/load-sink.js';
import type { Tally } from '../../intake/tally.js';
import { NpiSet, readNpi } from '../../providers/npi.js';
import { type Provider, providerOf } from '../../providers/provider.js';
import { normalizeCredential } from '../../providers/text/credential.js';
import { organizationName } from '../../providers/text/organization-name.js';
import { wholeName } from '../../providers/text/person-name.js';
import { optionalColumn, requireColumns } from '../columns.js';
import { positionColumn, readPosition, takePosition } from '../position-cells.js';
import { refuseNpi, takePractice, whyUnwanted } from '../provider-practice.js';
import { type ByteRowTaker, readByteTable } from '../read-byte-table.js';
import { addCoordinates, LAT_COLUMNS, LNG_COLUMNS, tractIn } from './read-coordinates.js';

/** Groupings of NUCC's taxonomy whose members are organizations: agencies, facilities, suppliers. */
const ORGANIZATION_CODES = /^(2[5-9]|3[0-4]|38)/;

/** The indexes of an extract's columns. */
type ExtractColumns = Readonly<Record<'npi' | 'name' | 'taxonomy' | 'state' | 'zip' | 'lat' | 'lng', number>> &
  Readonly<Record<'credential' | 'line1' | 'city' | 'phone' | 'tract', number | undefined>>;

/**
 * Reads an extract: for NPIs that the registry's files contain, only the coordinates; for others, the provider as well,
 * unless an extract read before has it. The type follows from the taxonomy as everywhere, not from a column of the extract.
 * Throws `InputError` if a column is missing.
 */
export async function readExtract(probe: TextProbe, product: string, sink: LoadSink): Promise<void> {
  const tally = sink.tally('provider-coordinates', product, probe.file.label);
  const { providers } = sink;
  const own = new NpiSet();
  const start = (header: readonly string[]): ByteRowTaker => {
    const columns = extractColumns(probe.file.label, header);
    const positions = positionColumn(tally, header, columns);
    return (row) => {
      const npi = readNpi(row.text(columns.npi));
      const unwanted = whyUnwanted(row.text(columns.state), '', sink);
      if (npi === undefined) return refuseNpi(unwanted, tally, row.text(columns.npi));
      if (providers.registered.has(npi)) {
        if (addCoordinates(npi, row, columns, tally, sink)) positions.present++;
        return;
      }
      if (unwanted !== undefined) return tally.leave(unwanted);
      if (own.has(npi)) return tally.reject('duplicate NPI', { column: 'NPI', value: npi });
      if (providers.isKept(npi)) return tally.leave('in another extract');
      const provider = takeProvider(npi, row, columns, sink, tally);
      if (!provider) return;
      own.add(npi);
      const point = takePosition(readPosition(row, columns), positions);
      if (point) {
        providers.coordinates.add({ npi, ...point, tractFips: tractIn(row, columns.tract), tally, alone: false });
      }
      providers.add(provider, tally);
    };
  };
  await readByteTable(probe, tally, start);
}

function extractColumns(label: string, header: readonly string[]): ExtractColumns {
  const optional = (name: string): number | undefined => optionalColumn(label, header, [name]);
  return {
    ...requireColumns(label, header, {
      npi: ['npi'],
      name: ['name'],
      taxonomy: ['taxonomy_code'],
      state: ['state'],
      zip: ['zip'],
      lat: LAT_COLUMNS,
      lng: LNG_COLUMNS,
    }),
    credential: optional('credential'),
    line1: optional('address'),
    city: optional('city'),
    phone: optional('phone'),
    tract: optional('tract_fips'),
  };
}

/** The provider in a row; undefined if it is not kept, and the row is then accounted for. */
function takeProvider(
  npi: string,
  row: ByteRow,
  columns: ExtractColumns,
  sink: LoadSink,
  tally: Tally,
): Provider | undefined {
  const code = row.text(columns.taxonomy);
  const entityType = ORGANIZATION_CODES.test(code) ? '2' : '1';
  const name = row.text(columns.name);
  const providerName = entityType === '2' ? organizationName(name) : wholeName(name);
  const classified = sink.providers.classify(npi, code, entityType);
  if ('leave' in classified) tally.leave(classified.leave);
  else if ('reject' in classified) tally.reject(classified.reject, { value: code });
  else if (providerName === '') tally.reject('no name');
  else {
    const practice = takePractice(row, columns, tally);
    const credential = entityType === '1' ? normalizeCredential(row.text(columns.credential)) : null;
    const who = { npi, providerName, credential, entityType, gender: null } as const;
    return practice && providerOf(who, classified, practice);
  }
  return undefined;
}
