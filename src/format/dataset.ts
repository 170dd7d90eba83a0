import { basename, join } from 'node:path';
import { OUTLINES_FILE, type OutlinesFile, openOutlinesFile } from './outlines-file.js';
import { openTractsFile, TRACTS_FILE, type TractsFile } from './tracts-file.js';

/** One generation of compiled data, mapped. */
export interface Dataset {
  /** The generation's content hash: the name of its directory. */
  readonly generation: string;
  readonly directory: string;
  readonly tracts: TractsFile;
  readonly outlines: OutlinesFile;
  /** Compares every section of every file with its checksum; throws FormatError on the first that differs. */
  verify(): void;
  /** Unmaps the files. Nothing read from the dataset may be touched afterwards. */
  release(): void;
}

/** Opens a generation's directory. Throws FormatError; costs the same for a state and for the nation. */
export function openDataset(directory: string): Dataset {
  const tracts = openTractsFile(join(directory, TRACTS_FILE));
  const outlines = openOutlinesFile(join(directory, OUTLINES_FILE), tracts.tractCount);
  const containers = [tracts.container, outlines.container];
  return {
    generation: basename(directory),
    directory,
    tracts,
    outlines,
    verify: () => {
      for (const container of containers) container.verify();
    },
    release: () => {
      for (const container of containers) container.release();
    },
  };
}
