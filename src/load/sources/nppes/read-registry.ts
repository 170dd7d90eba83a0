import type { ByteRow } from '../../files/byte-rows.js';
import type { TextProbe } from '../../files/probe.js';
import type { LoadSink } from '../../intake/load-sink.js';
import type { Tally } from '../../intake/tally.js';
import { NpiSet, readNpi } from '../../providers/npi.js';
import { type Provider, providerOf } from '../../providers/provider.js';
import { textOrNull } from '../../providers/text/clean-text.js';
import { normalizeCredential } from '../../providers/text/credential.js';
import { organizationName } from '../../providers/text/organization-name.js';
import { personName } from '../../providers/text/person-name.js';
import { refuseNpi, refuseRow, takePractice, whyUnwanted } from '../provider-practice.js';
import { type ByteRowTaker, readByteTable } from '../read-byte-table.js';
import { type RegistryColumns, registryColumns } from './columns.js';

/**
 * Reads a registry file. NPIs that a newer file contains are left out, whatever that file says about them; so are
 * deactivated NPIs, and those whose taxonomy has no provider type. Throws `InputError` if a column is missing.
 */
export async function readRegistry(probe: TextProbe, product: string, sink: LoadSink): Promise<void> {
  const tally = sink.tally('nppes', product, probe.file.label);
  const own = new NpiSet();
  const start = (header: readonly string[]): ByteRowTaker => {
    const columns = registryColumns(probe.file.label, header);
    return (row) => {
      const npi = readNpi(row.text(columns.npi));
      const unwanted = whyUnwanted(row.text(columns.state), row.text(columns.country), sink);
      if (npi === undefined) return refuseNpi(unwanted, tally, row.text(columns.npi));
      if (sink.providers.registered.has(npi)) return tally.leave('superseded by a newer file');
      if (!own.add(npi)) return refuseRow(unwanted, tally, 'duplicate NPI', { column: 'NPI', value: npi });
      const provider = takeProvider(npi, row, columns, unwanted, sink, tally);
      if (provider) sink.providers.add(provider, tally);
    };
  };
  await readByteTable(probe, tally, start);
  sink.providers.registered.addAll(own);
}

const YES = 'Y'.charCodeAt(0);

/** The provider in a row, unless it is `unwanted`; undefined if it is not kept, and the row is then accounted for. */
function takeProvider(
  npi: string,
  row: ByteRow,
  columns: RegistryColumns,
  unwanted: string | undefined,
  sink: LoadSink,
  tally: Tally,
): Provider | undefined {
  if (!row.isEmpty(columns.deactivated) && row.isEmpty(columns.reactivated)) {
    if (sink.providers.isListed(npi)) sink.providers.deactivated.add(npi);
    tally.leave('NPI deactivated');
    return undefined;
  }
  if (unwanted !== undefined) {
    tally.leave(unwanted);
    return undefined;
  }
  const entityType = entityTypeOf(row.firstByte(columns.entityType));
  if (entityType === undefined) {
    const value = row.text(columns.entityType);
    tally.reject('entity type is neither 1 nor 2', { column: 'Entity Type Code', value });
    return undefined;
  }
  const taxonomy = primaryTaxonomy(row, columns);
  const classified = sink.providers.classify(npi, taxonomy, entityType);
  if ('leave' in classified) tally.leave(classified.leave);
  else if ('reject' in classified) tally.reject(classified.reject, { value: taxonomy });
  if (!('providerType' in classified)) return undefined;
  const providerName = nameOf(row, columns, entityType);
  if (providerName === '') {
    tally.reject('no name');
    return undefined;
  }
  const practice = takePractice(row, columns, tally);
  if (!practice) return undefined;
  const credential = entityType === '1' ? normalizeCredential(row.text(columns.credential)) : null;
  const gender = entityType === '1' ? textOrNull(row.text(columns.sex)) : null;
  return providerOf({ npi, providerName, credential, entityType, gender }, classified, practice);
}

function entityTypeOf(byte: number): '1' | '2' | undefined {
  const digit = String.fromCharCode(byte);
  return digit === '1' || digit === '2' ? digit : undefined;
}

/** The taxonomy code flagged as primary, or else the only one; empty if several are given and none is flagged. */
function primaryTaxonomy(row: ByteRow, { taxonomies }: RegistryColumns): string {
  for (const { code, primary } of taxonomies) if (row.firstByte(primary) === YES) return row.text(code);
  const given = taxonomies.filter(({ code }) => !row.isEmpty(code));
  return given.length === 1 ? row.text(given[0]?.code) : '';
}

function nameOf(row: ByteRow, columns: RegistryColumns, entityType: '1' | '2'): string {
  if (entityType === '2') return organizationName(row.text(columns.organization));
  return personName({
    first: row.text(columns.first),
    middle: row.text(columns.middle),
    last: row.text(columns.last),
    suffix: row.text(columns.suffix),
  });
}
