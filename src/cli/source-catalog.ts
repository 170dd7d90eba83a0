import { readSourceCatalog, type SourceCatalog, SourceCatalogError } from '../load/source-catalog.js';
import { CliError } from './cli-error.js';

/** The package's `datasets/sources.json`. Throws `CliError` if it is invalid. */
export function readCatalog(): SourceCatalog {
  try {
    return readSourceCatalog();
  } catch (error) {
    throw error instanceof SourceCatalogError ? new CliError(error.message, 1) : error;
  }
}
