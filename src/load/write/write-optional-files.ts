import { join } from 'node:path';
import type { WrittenFile } from '../../catalog/directory/generation-name.js';
import { mapFile } from '../../format/byte-source.js';
import { OUTLINES_FILE, openOutlinesFile } from '../../format/outlines-file.js';
import { PROVIDERS_FILE } from '../../format/providers-file.js';
import type { Intake } from '../intake/intake.js';
import type { TractRow } from '../intake/tract-rows.js';
import type { Progress } from '../progress.js';
import { groundOf, type OpenAddressLocator } from '../providers/ground.js';
import { writeProviders } from '../providers/write-providers.js';
import { zipCities } from '../providers/zip-cities.js';
import type { CountyFile } from '../sources/addrfeat/county-file.js';
import type { PlaceFile } from '../sources/tiger-place/index.js';
import { writeAddresses } from './write-addresses.js';

/** The inputs, besides the intake, of the address and provider files. */
export interface OptionalFilesInput {
  readonly counties: readonly CountyFile[];
  readonly placeFiles: readonly PlaceFile[];
  /** Opens a geocoder over the address ranges in a directory; undefined if providers are not to be geocoded. */
  readonly openAddressLocator?: OpenAddressLocator | undefined;
}

/** Writes a generation's optional files, addresses and providers, if there are any. The outlines file must be complete. */
export async function writeOptionalFiles(
  directory: string,
  intake: Intake,
  tracts: readonly TractRow[],
  { counties, placeFiles, openAddressLocator }: OptionalFilesInput,
  progress: Progress,
): Promise<WrittenFile[]> {
  const outlines = openOutlinesFile(mapFile(join(directory, OUTLINES_FILE)), tracts.length);
  const { locate } = outlines;
  try {
    const zipCityPairs = zipCities(intake.providers);
    const input = { counties, placeFiles, segments: intake.streetSegments, zipCities: zipCityPairs };
    // Before the providers, which are geocoded with these address ranges.
    const addresses = await writeAddresses(directory, input, intake, locate, progress);
    if (intake.providers.isEmpty) {
      intake.providers.accountWithoutProviders();
      return addresses;
    }
    const locator = addresses.length > 0 ? openAddressLocator?.(directory, outlines) : undefined;
    try {
      const sections = writeProviders(join(directory, PROVIDERS_FILE), intake.providers, {
        ...groundOf(tracts, intake),
        locate,
        locateAddress: locator?.locate,
      });
      return [{ name: PROVIDERS_FILE, sections }, ...addresses];
    } finally {
      locator?.release();
    }
  } finally {
    outlines.container.release();
  }
}
