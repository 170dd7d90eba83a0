import { join } from 'node:path';
import type { LatLng } from '../../src/core/coordinates.js';
import type { Geoid } from '../../src/core/geoid.js';
import { mapFile } from '../../src/format/byte-source.js';
import type { SectionEntry } from '../../src/format/container-header.js';
import { openProvidersFile, PROVIDERS_FILE, type ProvidersFile } from '../../src/format/providers-file.js';
import type { Ground } from '../../src/load/providers/ground.js';
import type { ProviderRow } from '../../src/load/providers/provider.js';
import { ProviderIntake } from '../../src/load/providers/provider-intake.js';
import { writeProviders } from '../../src/load/providers/write-providers.js';

/** A made-up provider; `given` overrides the defaults. */
export function providerRow(given: Partial<ProviderRow> & Pick<ProviderRow, 'npi' | 'lat' | 'lng'>): ProviderRow {
  return {
    providerName: 'Synthia Demo-Walker',
    credential: 'MD',
    primaryTaxonomy: '207Q00000X',
    taxonomyDescription: 'Family Medicine Physician',
    providerType: 'pcp',
    practiceAddress: '1 Sample St',
    practiceCity: 'Squareton',
    practiceState: 'MN',
    practiceZip: '55001',
    phone: '612-555-0100',
    isFqhc: false,
    entityType: '1',
    gender: 'F',
    locationQuality: 'address_range',
    ...given,
  };
}

/** Writes a providers file into a directory; `locate` gives the row of the tract at a point, or −1. */
export function writeProviderRows(
  directory: string,
  rows: readonly ProviderRow[],
  tracts: readonly { readonly geoid: Geoid }[],
  locate: (point: LatLng) => number,
): SectionEntry[] {
  const intake = new ProviderIntake(false);
  for (const row of rows) intake.store.add(row, undefined, row);
  const ground: Ground = {
    tracts,
    locate,
    isCovered: () => false,
    currentGeoid: (geoid) => geoid,
    internalPointOf: () => undefined,
    locateAddress: undefined,
  };
  return writeProviders(join(directory, PROVIDERS_FILE), intake, ground);
}

/** A provider's entry in a list of results, without its distance. */
export function entryOf({ records }: Pick<ProvidersFile, 'records'>, row: number): Record<string, unknown> {
  return JSON.parse(`{${Buffer.concat(records.entry(row)).toString('utf8')}}`);
}

/** Writes the providers to a file and opens it. */
export function providersFile(
  directory: string,
  rows: readonly ProviderRow[],
  tracts: readonly { readonly geoid: Geoid }[] = [],
  locate: (point: LatLng) => number = () => -1,
): ProvidersFile {
  writeProviderRows(directory, rows, tracts, locate);
  return openProvidersFile(mapFile(join(directory, PROVIDERS_FILE)), tracts.length);
}
