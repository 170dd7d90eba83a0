import { join } from 'node:path';
import type { WrittenFile } from '../../src/catalog/directory/generation-name.js';
import { PROVIDER_TYPES } from '../../src/core/provider-types.js';
import { mapFile } from '../../src/format/byte-source.js';
import { OUTLINES_FILE, openOutlinesFile } from '../../src/format/outlines-file.js';
import { PROVIDERS_FILE } from '../../src/format/providers-file.js';
import type { StreetSegment } from '../../src/load/intake/street-segment.js';
import type { ProviderRow } from '../../src/load/providers/provider.js';
import { impossibleNpi } from '../../src/load/synthetic/npi.js';
import { providerRow, writeProviderRows } from './providers.js';
import { writeStreets } from './street-files.js';
import type { TinyTract } from './tiny-dataset.js';

/** The first tract's ZIP; the others have consecutive ones. */
const FIRST_ZIP = 55001;

/**
 * Two providers per tract, with types in rotation. Both are at the tract's internal point, so that their distances tie. None
 * of the NPIs can be a real one.
 */
export function tinyProviders(tracts: readonly TinyTract[]): ProviderRow[] {
  return tracts.flatMap((tract, row) =>
    [0, 1].map((index) => {
      const number = 2 * row + index;
      const providerType = PROVIDER_TYPES[number % PROVIDER_TYPES.length] ?? 'pcp';
      const isPerson = providerType === 'pcp';
      return providerRow({
        npi: impossibleNpi(number),
        providerName: isPerson ? `Synthia Demo-Peña ${number}` : `Synthetic Clinic ${number}`,
        providerType,
        credential: isPerson ? 'MD' : null,
        entityType: isPerson ? '1' : '2',
        gender: isPerson ? 'F' : null,
        isFqhc: providerType === 'fqhc',
        practiceState: tract.geoid.startsWith('27') ? 'MN' : 'WI',
        practiceZip: zipOf(row),
        lat: tract.lat,
        lng: tract.lng,
      });
    }),
  );
}

/**
 * One street per tract, from west to east through its middle: `Sample St`, with odd numbers 101–199 on the left and even
 * numbers 100–198 on the right.
 */
function tinyStreets(tracts: readonly TinyTract[]): StreetSegment[] {
  return tracts.map(({ geoid, lat, lng }, row) => ({
    street: 'Sample St',
    city: 'Squareton',
    stateFips: geoid.slice(0, 2),
    from: { lat, lng: lng - 0.02 },
    to: { lat, lng: lng + 0.02 },
    left: { from: 101, to: 199, zip: zipOf(row) },
    right: { from: 100, to: 198, zip: zipOf(row) },
  }));
}

/** Writes the providers and address files next to the outlines file, which must exist. */
export function writeTinyPlaces(directory: string, tracts: readonly TinyTract[]): WrittenFile[] {
  const outlines = openOutlinesFile(mapFile(join(directory, OUTLINES_FILE)), tracts.length);
  try {
    const providers = writeProviderRows(directory, tinyProviders(tracts), tracts, outlines.locate);
    const addresses = writeStreets(directory, tinyStreets(tracts), outlines.locate);
    return [{ name: PROVIDERS_FILE, sections: providers }, ...addresses];
  } finally {
    outlines.container.release();
  }
}

const zipOf = (row: number): string => String(FIRST_ZIP + row);
