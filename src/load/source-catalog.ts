import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { METRICS } from '../core/metrics.js';
import { parseJson } from '../core/parse-json.js';
import { packageFile } from '../platform/package-root.js';
import { downloadSchema } from './fetch/manifest.js';
import type { SourceId } from './source-id.js';

const SOURCE_IDS = [
  'gazetteer',
  'tiger',
  'addrfeat',
  'tiger-place',
  'cenpop',
  'acs',
  'svi',
  'places',
  'ejscreen',
  'ct-crosswalk',
  'tract-relationship',
  'nppes',
  'hrsa',
  'cms-rhc',
  'provider-coordinates',
  'zcta',
] as const satisfies readonly SourceId[];

const METRIC_PATHS = new Set(METRICS.map(({ path }) => path));

const columnSchema = z.strictObject({
  /** As the agency writes it, or how several make one value. */
  name: z.string().min(1),
  /** Unit of the value as the service gives it; the form, for identifiers. */
  unit: z.string().min(1),
  /** Path of the metric that comes from it. */
  metric: z
    .string()
    .refine((path) => METRIC_PATHS.has(path), 'no such metric')
    .optional(),
});

const entrySchema = z.strictObject({
  title: z.string().min(1),
  publisher: z.string().min(1),
  landingPage: z.url(),
  /** Where files are, as far as that follows a pattern; `{year}`, `{state}`, `{table}`, `{variables}` stand for values. */
  urlPatterns: z.array(z.string().startsWith('https://')),
  licence: z.string().min(1),
  citation: z.string().min(1),
  vintages: z.array(z.string().min(1)).min(1),
  /** How its files are fetched; none where nobody publishes them at a fixed address. */
  downloads: z.array(downloadSchema).min(1).optional(),
  columns: z.array(columnSchema).min(1),
  /** What the agency writes where it has no value. */
  missingCodes: z.array(z.string().min(1)),
  /** What is done with the rows beyond reading them, where that is a decision. */
  rule: z.string().min(1).optional(),
  /** A load with a greater share of rejected rows (0 to 1) is not published. */
  maxRejectShare: z.number().min(0).max(1),
  /** Of one file's rows, where that may be more: of thousands of small files some are odd. */
  maxRejectShareOfFile: z.number().min(0).max(1).optional(),
});

const catalogSchema = z.record(z.enum(SOURCE_IDS), entrySchema);

/** What is known of a source beforehand: `datasets/sources.json`. */
export type SourceEntry = Readonly<z.infer<typeof entrySchema>>;
export type SourceCatalog = Readonly<Record<SourceId, SourceEntry>>;

/** The catalog in the package's `datasets/sources.json`. Throws where the file is missing or not as it should be. */
export function readSourceCatalog(): SourceCatalog {
  const path = packageFile('datasets', 'sources.json');
  return parseSourceCatalog(readFileSync(path, 'utf8'), path);
}

/** Checks a catalog's text; `origin` names it in errors. */
export function parseSourceCatalog(text: string, origin: string): SourceCatalog {
  const parsed = catalogSchema.safeParse(parseJson(text, origin));
  if (!parsed.success) throw new Error(`${origin}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
