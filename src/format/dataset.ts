import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runAtOnce, runBeside, type Steps } from '../platform/steps.js';
import { type AddressFiles, addressFileNames, addressFilesWhenUsed } from './addresses/address-files.js';
import { ADDRESSES_KIND, stateOfFileName } from './addresses/shard.js';
import { readAddressShard } from './addresses/shard-reader.js';
import { attachMapping, type ByteSource, type MappedFile, type Mapping, mapFile } from './byte-source.js';
import type { SectionEntry } from './container-header.js';
import { type ContainerReader, openContainer } from './container-reader.js';
import { readContainer } from './file-source.js';
import { FormatError } from './format-error.js';
import { OUTLINES_FILE, OUTLINES_KIND, type OutlinesFile, openOutlinesFile } from './outlines-file.js';
import { openProvidersFile, PROVIDERS_FILE, PROVIDERS_KIND, type ProvidersFile } from './providers-file.js';
import { openTractsFile, TRACTS_FILE, TRACTS_KIND, type TractsFile } from './tracts-file.js';

/** One generation of compiled data, mapped into memory. */
export interface Dataset {
  /** The generation's content hash: the name of its directory. */
  readonly generation: string;
  readonly directory: string;
  readonly tracts: TractsFile;
  readonly outlines: OutlinesFile;
  /** Undefined if the generation has no file of providers. */
  readonly providers: ProvidersFile | undefined;
  /** Undefined if the generation has no files of address ranges. */
  readonly addresses: AddressFiles | undefined;
  /** All of the generation's files. */
  readonly containers: readonly ContainerReader[];
  /** Where the files lie in memory, for {@link attachDataset}. */
  readonly mappings: readonly Mapping[];
  /**
   * Takes the files out of the process's memory without holding up other work, so that the release afterwards takes no
   * time. What is read again returns.
   */
  evict(): Promise<void>;
  /** Unmaps the files. Views into the dataset must not be accessed afterwards. */
  release(): void;
}

/** Opens a generation's directory; takes no longer for the nation than for a state. Throws FormatError. */
export const openDataset = (directory: string): Dataset => runAtOnce(openInSteps(directory));

/** Like {@link openDataset}, but lets requests run between one file and the next. Rejects with FormatError. */
export const openDatasetBeside = (directory: string): Promise<Dataset> => runBeside(openInSteps(directory));

function* openInSteps(directory: string): Steps<Dataset> {
  const mapped: MappedFile[] = [];
  const release = (): void => {
    for (const file of mapped.splice(0)) file.release();
  };
  const mapIfThere = (name: string): ByteSource | undefined => {
    const path = join(directory, name);
    if (name in OPTIONAL_KINDS && !existsSync(path)) return undefined;
    const file = mapFile(path);
    mapped.push(file);
    return file;
  };
  try {
    const files = yield* openFiles(mapIfThere, addressFileNames(directory));
    const mappings = mapped.map(({ mapping }) => mapping);
    return { ...files, ...identify(directory), mappings, evict: () => runBeside(evictAll(mapped)), release };
  } catch (error) {
    release();
    throw error;
  }
}

function* evictAll(files: readonly MappedFile[]): Steps<void> {
  for (const file of files) yield* file.evict();
}

/**
 * Attaches to the dataset that another thread of this process has opened, without mapping it again. That thread must not
 * release the dataset before this one is done.
 */
export function attachDataset({ directory, mappings }: Pick<Dataset, 'directory' | 'mappings'>): Dataset {
  const names = mappings.map(({ path }) => basename(path));
  const find = (name: string): ByteSource | undefined => {
    const mapping = mappings[names.indexOf(name)];
    return mapping && attachMapping(mapping);
  };
  const files = runAtOnce(
    openFiles(
      find,
      names.filter((name) => stateOfFileName(name) !== undefined),
    ),
  );
  return { ...files, ...identify(directory), mappings, evict: () => Promise.resolve(), release: () => {} };
}

function identify(directory: string): Pick<Dataset, 'generation' | 'directory'> {
  return { generation: basename(directory), directory };
}

type DatasetFiles = Pick<Dataset, 'tracts' | 'outlines' | 'providers' | 'addresses' | 'containers'>;

/**
 * Opens the files, one per step. `find` returns a file's bytes, or undefined if there is no such file; `addressNames` are
 * the names of the address range files.
 */
function* openFiles(
  find: (name: string) => ByteSource | undefined,
  addressNames: readonly string[],
): Steps<DatasetFiles> {
  const need = (name: string): ByteSource => {
    const source = find(name);
    if (!source) throw new FormatError('file-missing', name, 'the file does not exist');
    return source;
  };
  const tracts = openTractsFile(need(TRACTS_FILE));
  yield;
  const outlines = openOutlinesFile(need(OUTLINES_FILE), tracts.tractCount);
  yield;
  const providersSource = find(PROVIDERS_FILE);
  const providers = providersSource && openProvidersFile(providersSource, tracts.tractCount);
  const shards: ContainerReader[] = [];
  for (const name of addressNames) {
    yield;
    shards.push(openContainer(need(name), ADDRESSES_KIND));
  }
  const addresses =
    shards.length > 0 ? addressFilesWhenUsed(shards.map((shard) => () => readAddressShard(shard))) : undefined;
  const files = [tracts, outlines, ...(providers ? [providers] : [])];
  const containers = [...files.map(({ container }) => container), ...shards];
  return { tracts, outlines, providers, addresses, containers };
}

const FILE_KINDS = { [TRACTS_FILE]: TRACTS_KIND, [OUTLINES_FILE]: OUTLINES_KIND } as const;
/** Files that a generation need not have; address range files are optional, too. */
const OPTIONAL_KINDS = { [PROVIDERS_FILE]: PROVIDERS_KIND } as const;

/**
 * Verifies the checksum of every section of a generation's files, and returns one error for each that differs and for each
 * file that cannot be opened. Interprets only the headers, so that damage is reported where it is and not where it first
 * has an effect. Reads all of the files.
 */
export function findDamage(directory: string): FormatError[] {
  return filesIn(directory).flatMap(({ file, kind }) => damageOf(join(directory, file), kind));
}

/** What a generation's files consist of, according to their headers, in the order in which they are written. */
export function readSections(
  directory: string,
): { readonly name: string; readonly sections: readonly SectionEntry[] }[] {
  return filesIn(directory).map(({ file: name, kind }) =>
    readContainer(join(directory, name), kind, ({ sections }) => ({ name, sections })),
  );
}

/** The files that a generation must have, and those that are there of the others. */
function filesIn(directory: string): { readonly file: string; readonly kind: string }[] {
  const optional = Object.entries(OPTIONAL_KINDS).filter(([file]) => existsSync(join(directory, file)));
  const addresses = addressFileNames(directory).map((file) => [file, ADDRESSES_KIND] as const);
  return [...Object.entries(FILE_KINDS), ...optional, ...addresses].map(([file, kind]) => ({ file, kind }));
}

function damageOf(path: string, kind: string): FormatError[] {
  try {
    return readContainer(path, kind, (container) => container.damage());
  } catch (error) {
    if (error instanceof FormatError) return [error];
    throw error;
  }
}

/** Runs `work` with two opened generations, and releases them. Throws `FormatError` if one cannot be opened. */
export function withDatasets<T>(beforeDir: string, afterDir: string, work: (before: Dataset, after: Dataset) => T): T {
  const before = openDataset(beforeDir);
  try {
    const after = openDataset(afterDir);
    try {
      return work(before, after);
    } finally {
      after.release();
    }
  } finally {
    before.release();
  }
}
