import { CatalogError } from '../catalog/catalog-error.js';
import { readCurrent } from '../catalog/generations.js';
import { DatasetsLockedError } from '../catalog/publish-lock.js';
import { FormatError } from '../format/format-error.js';
import { ThresholdError } from '../load/compile.js';
import { InputError } from '../load/input.js';
import { CoverageLossError } from '../load/update/compare-datasets.js';
import { CliError } from './cli-error.js';

const FILE_SYSTEM: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file grew past the allowed size',
  EACCES: 'no permission to write there',
  EPERM: 'no permission to write there',
  EROFS: 'the file system is read-only',
  ENOENT: 'a directory of the path does not exist',
  EISDIR: 'a directory is in the way',
  ENOTDIR: 'a part of the path is no directory',
  EEXIST: 'a file is in the way',
};

/** What says by itself what is wrong. */
const EXPECTED = [InputError, ThresholdError, DatasetsLockedError, CoverageLossError];

/** Runs a loader's work and turns what it expects to go wrong into a line that names it; the dataset stays as it was. */
export async function withLoaderErrors<T>(outputDir: string, work: () => Promise<T>): Promise<T> {
  try {
    // What is wrong with it now would be so after an hour of work.
    readCurrent(outputDir);
    return await work();
  } catch (error) {
    const unchanged = 'Nothing was published.';
    if (EXPECTED.some((kind) => error instanceof kind) && error instanceof Error) {
      throw new CliError(`${error.message}\n${unchanged}`, 1);
    }
    if (error instanceof CatalogError) throw new CliError(`${outputDir}: ${error.message}\n${unchanged}`, 1);
    if (error instanceof FormatError)
      throw new CliError(`what was written is damaged: ${error.message}\n${unchanged}`, 1);
    if (error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code in FILE_SYSTEM) {
      throw new CliError(`${outputDir}: ${FILE_SYSTEM[error.code]} (${error.message})\n${unchanged}`, 1);
    }
    throw error;
  }
}
