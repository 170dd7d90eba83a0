import { CatalogError } from '../catalog/directory/catalog-error.js';
import { DatasetsLockedError } from '../catalog/directory/datasets-lock.js';
import { readCurrent } from '../catalog/directory/generations.js';
import { UnconfirmedPublicationError } from '../catalog/directory/publish.js';
import { FormatError } from '../format/format-error.js';
import { InputError } from '../load/input.js';
import { ThresholdError } from '../load/publish-intake.js';
import { ReportError } from '../load/report/write-report.js';
import { SourceCatalogError } from '../load/source-catalog.js';
import { CoverageLossError } from '../load/update/compare-datasets.js';
import { fileSystemReason } from '../platform/file-system-error.js';
import { CliError } from './cli-error.js';

/** Errors whose message alone explains the problem. */
const EXPECTED = [InputError, ThresholdError, SourceCatalogError, DatasetsLockedError, CoverageLossError, ReportError];

/** Runs a loader's work and turns its expected errors into `CliError`s, which say that nothing was published, if that is so. */
export async function withLoaderErrors<T>(outputDir: string, work: () => Promise<T>): Promise<T> {
  try {
    // Fails early: an unreadable CURRENT would also stop the publication, after an hour of work.
    readCurrent(outputDir);
    return await work();
  } catch (error) {
    if (error instanceof UnconfirmedPublicationError) throw new CliError(`${outputDir}: ${error.message}`, 1);
    const unchanged = 'Nothing was published.';
    if (EXPECTED.some((kind) => error instanceof kind) && error instanceof Error) {
      throw new CliError(`${error.message}\n${unchanged}`, 1);
    }
    if (error instanceof CatalogError) throw new CliError(`${outputDir}: ${error.message}\n${unchanged}`, 1);
    if (error instanceof FormatError) {
      // Also where the process is short of descriptors or memory: the files may be whole.
      const state = error.code === 'cannot-open' ? 'cannot be read' : 'are damaged';
      throw new CliError(`the compiled files ${state}: ${error.message}\n${unchanged}`, 1);
    }
    const reason = fileSystemReason(error);
    if (reason !== undefined) throw new CliError(`${outputDir}: ${reason}\n${unchanged}`, 1);
    throw error;
  }
}
