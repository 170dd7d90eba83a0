import { join } from 'node:path';
import type { Geoid } from '../../src/core/geoid.js';
import { openProvidersFile, PROVIDERS_FILE, type ProvidersFile } from '../../src/format/providers-file.js';
import { type ProviderRow, writeProviders } from '../../src/load/providers.js';

/** A made-up provider; what is given wins. */
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
    ...given,
  };
}

/** The providers in a file of their own; `locate` gives the row of a provider's tract, or −1. */
export function providersFile(
  directory: string,
  rows: readonly ProviderRow[],
  tracts: readonly { readonly geoid: Geoid }[] = [],
  locate: (row: { readonly lat: number; readonly lng: number }) => number = () => -1,
): ProvidersFile {
  const path = join(directory, PROVIDERS_FILE);
  writeProviders(path, rows, tracts, { locate });
  return openProvidersFile(path, tracts.length);
}
