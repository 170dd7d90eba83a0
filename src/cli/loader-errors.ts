import { CatalogError } from '../catalog/catalog-error.js';
import { DatasetsLockedError } from '../catalog/datasets-lock.js';
import { readCurrent } from '../catalog/generations.js';
import { FormatError } from '../format/format-error.js';
import { ThresholdError } from '../load/compile.js';
import { InputError } from '../load/input.js';
import { CoverageLossError } from '../load/update/compare-datasets.js';
import { fileSystemReason } from '../platform/file-system-reason.js';
import { CliError } from './cli-error.js';

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
    const reason = fileSystemReason(error);
    if (reason !== undefined) throw new CliError(`${outputDir}: ${reason}\n${unchanged}`, 1);
    throw error;
  }
}
