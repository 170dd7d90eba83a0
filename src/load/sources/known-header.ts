import type { TextProbe } from '../files/probe.js';
import { type ColumnNames, hasColumns, missingColumns } from './columns.js';

/** The header of an agency's table. */
export interface KnownHeader {
  /**
   * Columns that together tell the table from others, whatever the file is called: a source recognizes a table that has all
   * of them, unless the rows, or further columns, are those of another product.
   */
  readonly signature: readonly string[];
  /** The columns that the source reads, as `requireColumns` takes them. */
  readonly reads: Readonly<Record<string, ColumnNames>>;
  /** The product of a table that has most of the columns; undefined if its name, columns or rows rule that out. */
  readonly productOf: (probe: TextProbe) => string | undefined;
}

/** The product that a table resembles although no source recognizes it. */
export interface Likeness {
  readonly product: string;
  readonly missing: readonly string[];
  /** The share of the product's columns that the table has, 0 to 1. */
  readonly share: number;
}

/** Fewer shared columns say nothing: many unrelated tables have, for example, a ZIP and a tract. */
const MIN_SHARED = 3;

/**
 * The product that a table resembles: it has more than half of the columns, be it with other separators in their names, but
 * not all by which the source recognizes it. Undefined also if it has all of these: the source has then turned it down
 * because of its contents.
 */
export function likenessTo({ signature, reads, productOf }: KnownHeader, probe: TextProbe): Likeness | undefined {
  if (hasColumns(probe.header, ...signature)) return undefined;
  const further = Object.values(reads).filter((names) => !names.some((name) => signature.includes(name)));
  const columns: readonly ColumnNames[] = [...signature.map((name) => [name]), ...further];
  const known = new Set(probe.header.map(withoutSeparators));
  const shared = columns.filter((names) => names.some((name) => known.has(withoutSeparators(name)))).length;
  if (shared < MIN_SHARED || shared * 2 <= columns.length) return undefined;
  const product = productOf(probe);
  return product === undefined
    ? undefined
    : { product, missing: missingColumns(probe.header, columns), share: shared / columns.length };
}

/** A name as it is the same in what programs make of it: `RPL_THEMES` of `RPL.THEMES`, `Rpl Themes` and `RplThemes`. */
export const withoutSeparators = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
