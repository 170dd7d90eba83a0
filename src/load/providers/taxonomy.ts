import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseJson } from '../../core/parse-json.js';
import { PROVIDER_TYPES } from '../../core/provider-types.js';
import { packageFile } from '../../platform/package-root.js';

const NUCC_CODE = /^[0-9A-Z]{9}X$/;

const tableSchema = z.array(
  z.strictObject({
    /** A code of the Health Care Provider Taxonomy code set (https://nucc.org). */
    code: z.string().regex(NUCC_CODE),
    /** NUCC's description of the code. */
    description: z.string().min(1),
    type: z.enum(PROVIDER_TYPES),
  }),
);

/** What a taxonomy code says about a provider. */
type Taxonomy = Readonly<z.infer<typeof tableSchema>[number]>;

/** The taxonomies that have a provider type, by code. */
export type TaxonomyTable = ReadonlyMap<string, Taxonomy>;

/** Reads the package's `datasets/provider-types.json`. Throws if the file is missing or invalid. */
export function readTaxonomyTable(): TaxonomyTable {
  const path = packageFile('datasets', 'provider-types.json');
  return parseTaxonomyTable(readFileSync(path, 'utf8'), path);
}

/** Parses and validates a table's text; `origin` names it in errors. No code may occur twice. */
export function parseTaxonomyTable(text: string, origin: string): TaxonomyTable {
  const entries = parseJson(text, origin, tableSchema);
  const table = new Map(entries.map((entry) => [entry.code, entry]));
  if (table.size < entries.length) throw new Error(`${origin}: a code is there twice`);
  return table;
}

/** Whether a text has the form of a taxonomy code. */
export const isTaxonomyCode = (text: string): boolean => NUCC_CODE.test(text);
