import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ADDRESSES_FILE, ADDRESSES_KIND, type AddressesFile, openAddressesFile } from './addresses-file.js';
import { mapFile } from './byte-source.js';
import type { ContainerReader } from './container-reader.js';
import { openContainer } from './container-reader.js';
import type { FormatError } from './format-error.js';
import { OUTLINES_FILE, OUTLINES_KIND, type OutlinesFile, openOutlinesFile } from './outlines-file.js';
import { openProvidersFile, PROVIDERS_FILE, PROVIDERS_KIND, type ProvidersFile } from './providers-file.js';
import { openTractsFile, TRACTS_FILE, TRACTS_KIND, type TractsFile } from './tracts-file.js';

/** One generation of compiled data, mapped. */
export interface Dataset {
  /** The generation's content hash: the name of its directory. */
  readonly generation: string;
  readonly directory: string;
  readonly tracts: TractsFile;
  readonly outlines: OutlinesFile;
  /** Undefined where the generation has no file of providers. */
  readonly providers: ProvidersFile | undefined;
  /** Undefined where the generation has no file of address ranges. */
  readonly addresses: AddressesFile | undefined;
  /** All of the generation's files. */
  readonly containers: readonly ContainerReader[];
  /** Unmaps the files. Nothing read from the dataset may be touched afterwards. */
  release(): void;
}

/** Opens a generation's directory. Throws FormatError; costs the same for a state and for the nation. */
export function openDataset(directory: string): Dataset {
  const tracts = openTractsFile(join(directory, TRACTS_FILE));
  const outlines = openOutlinesFile(join(directory, OUTLINES_FILE), tracts.tractCount);
  const providers = openIfThere(join(directory, PROVIDERS_FILE), (path) => openProvidersFile(path, tracts.tractCount));
  const addresses = openIfThere(join(directory, ADDRESSES_FILE), openAddressesFile);
  const containers = [tracts, outlines, providers, addresses].flatMap((file) => (file ? [file.container] : []));
  return {
    generation: basename(directory),
    directory,
    tracts,
    outlines,
    providers,
    addresses,
    containers,
    release: () => {
      for (const container of containers) container.release();
    },
  };
}

const FILE_KINDS = { [TRACTS_FILE]: TRACTS_KIND, [OUTLINES_FILE]: OUTLINES_KIND } as const;
/** These a generation need not have. */
const OPTIONAL_KINDS = { [PROVIDERS_FILE]: PROVIDERS_KIND, [ADDRESSES_FILE]: ADDRESSES_KIND } as const;

/**
 * Compares every section of a generation's files with its checksum and gives one error for each that differs. Nothing
 * but the headers is interpreted, so that damage is named where it is and not where it shows. Throws FormatError where a
 * file cannot be opened.
 */
export function findDamage(directory: string): FormatError[] {
  const optional = Object.entries(OPTIONAL_KINDS).filter(([file]) => existsSync(join(directory, file)));
  return [...Object.entries(FILE_KINDS), ...optional].flatMap(([file, kind]) => {
    const container = openContainer(mapFile(join(directory, file)), kind);
    try {
      return container.damage();
    } finally {
      container.release();
    }
  });
}

function openIfThere<T>(path: string, open: (path: string) => T): T | undefined {
  return existsSync(path) ? open(path) : undefined;
}
