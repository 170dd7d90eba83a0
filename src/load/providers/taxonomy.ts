import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseJson } from '../../core/parse-json.js';
import { PROVIDER_TYPES, type ProviderType } from '../../core/provider-types.js';
import { packageFile } from '../../platform/package-root.js';

const NUCC_CODE = /^[0-9A-Z]{9}X$/;

const tableSchema = z.array(
  z.strictObject({
    /** Of the Health Care Provider Taxonomy code set (https://nucc.org). */
    code: z.string().regex(NUCC_CODE),
    /** The text that NUCC gives it. */
    description: z.string().min(1),
    type: z.enum(PROVIDER_TYPES),
  }),
);

/** What a taxonomy code says of a provider. */
export interface Taxonomy {
  readonly code: string;
  readonly description: string;
  readonly type: ProviderType;
}

/** By code, those that are loaded. */
export type TaxonomyTable = ReadonlyMap<string, Taxonomy>;

/** The package's `datasets/provider-types.json`. Throws where the file is missing or not as it should be. */
export function readTaxonomyTable(): TaxonomyTable {
  const path = packageFile('datasets', 'provider-types.json');
  return parseTaxonomyTable(readFileSync(path, 'utf8'), path);
}

/** Checks a table's text; `origin` names it in errors. A code must not be there twice. */
export function parseTaxonomyTable(text: string, origin: string): TaxonomyTable {
  const parsed = tableSchema.safeParse(parseJson(text, origin));
  if (!parsed.success) throw new Error(`${origin}: ${z.prettifyError(parsed.error)}`);
  const table = new Map(parsed.data.map((entry) => [entry.code, entry]));
  if (table.size < parsed.data.length) throw new Error(`${origin}: a code is there twice`);
  return table;
}

/** Whether a text has the form of a taxonomy code. */
export const isTaxonomyCode = (text: string): boolean => NUCC_CODE.test(text);
