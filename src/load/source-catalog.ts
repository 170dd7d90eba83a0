import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { messageOf } from '../core/message-of.js';
import { METRICS } from '../core/metrics.js';
import { parseJson } from '../core/parse-json.js';
import { packageFile } from '../platform/package-root.js';
import { downloadSchema } from './fetch/manifest.js';
import { SOURCE_IDS, type SourceId } from './source-id.js';

const METRIC_PATHS = new Set(METRICS.map(({ path }) => path));

const columnSchema = z.strictObject({
  /** The agency's column name, or how several columns make one value. */
  name: z.string().min(1),
  /** Unit of the value as the service returns it; for identifiers, their format. */
  unit: z.string().min(1),
  /** Path of the metric that the column provides. */
  metric: z
    .string()
    .refine((path) => METRIC_PATHS.has(path), 'no such metric')
    .optional(),
});

const entrySchema = z.strictObject({
  title: z.string().min(1),
  publisher: z.string().min(1),
  landingPage: z.url(),
  /** URLs of the files, if they follow a pattern; `{year}`, `{state}`, `{table}` and `{variables}` are placeholders. */
  urlPatterns: z.array(z.string().startsWith('https://')),
  licence: z.string().min(1),
  citation: z.string().min(1),
  vintages: z.array(z.string().min(1)).min(1),
  /** How the source's files are fetched; absent if nobody publishes them at a fixed address. */
  downloads: z.array(downloadSchema).min(1).optional(),
  columns: z.array(columnSchema).min(1),
  /** The agency's codes for missing values. */
  missingCodes: z.array(z.string().min(1)),
  /** A decision that the loader makes about the rows, beyond reading them. */
  rule: z.string().min(1).optional(),
  /** A dataset is not published if a greater share of the source's rows (0 to 1) is rejected. */
  maxRejectShare: z.number().min(0).max(1),
  /** The same for a single file, where the limit is higher: among thousands of small files some are odd. */
  maxRejectShareOfFile: z.number().min(0).max(1).optional(),
});

const catalogSchema = z.record(z.enum(SOURCE_IDS), entrySchema);

/** A source's entry in `datasets/sources.json`. */
export type SourceEntry = Readonly<z.infer<typeof entrySchema>>;
export type SourceCatalog = Readonly<Record<SourceId, SourceEntry>>;

/** The catalog cannot be used. The message names the file, the place in it and the problem. */
export class SourceCatalogError extends Error {
  override readonly name = 'SourceCatalogError';
}

/** Reads the package's `datasets/sources.json`. Throws `SourceCatalogError` if it is invalid, and file-system errors. */
export function readSourceCatalog(): SourceCatalog {
  const path = packageFile('datasets', 'sources.json');
  return parseSourceCatalog(readFileSync(path, 'utf8'), path);
}

/** Parses and validates a catalog's text; `origin` names it in the `SourceCatalogError`. */
export function parseSourceCatalog(text: string, origin: string): SourceCatalog {
  try {
    return parseJson(text, origin, catalogSchema);
  } catch (error) {
    throw new SourceCatalogError(messageOf(error), { cause: error });
  }
}
