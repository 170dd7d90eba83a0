import { join } from 'node:path';
import type { WrittenFile } from '../catalog/publish.js';
import { ADDRESSES_FILE, writeAddressesFile } from '../format/addresses-file.js';
import { OUTLINES_FILE, openOutlinesFile } from '../format/outlines-file.js';
import { PROVIDERS_FILE } from '../format/providers-file.js';
import type { Intake } from './intake.js';
import type { TractRow } from './model.js';
import { writeProviders } from './providers.js';

/** Writes the files that a generation need not have, where there is something for them. The outlines are written. */
export function writePlaces(directory: string, intake: Intake, tracts: readonly TractRow[]): WrittenFile[] {
  const files: WrittenFile[] = [];
  if (intake.providers.length > 0) {
    const outlines = openOutlinesFile(join(directory, OUTLINES_FILE), tracts.length);
    try {
      const sections = writeProviders(join(directory, PROVIDERS_FILE), intake.providers, tracts, outlines);
      files.push({ name: PROVIDERS_FILE, sections });
    } finally {
      outlines.container.release();
    }
  }
  if (intake.streetSegments.length > 0) {
    const sections = writeAddressesFile(join(directory, ADDRESSES_FILE), intake.streetSegments);
    files.push({ name: ADDRESSES_FILE, sections });
  }
  return files;
}
