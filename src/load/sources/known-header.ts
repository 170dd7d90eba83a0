import type { TextProbe } from '../model.js';
import { type ColumnNames, findColumn, hasColumns } from './columns.js';

/** The columns of an agency's table. */
export interface KnownHeader {
  /** A source knows a table under any name by these, all of them. */
  readonly knownBy: readonly string[];
  /** What it reads, as `requireColumns` wants it. */
  readonly reads: Readonly<Record<string, ColumnNames>>;
  /** The product of a table that has most of the columns; undefined where its name or its rows are not the product's. */
  readonly productOf: (probe: TextProbe) => string | undefined;
}

/** What a table that no source knows could have been. */
export interface Likeness {
  readonly product: string;
  readonly missing: readonly string[];
  /** Of the columns, how many are there, 0 to 1. */
  readonly share: number;
}

/** Fewer columns that agree say nothing: many tables have a ZIP, a tract and a third. */
const MIN_SHARED = 3;

/**
 * What a table is nearly: it has more than half of the columns, but not all that its source knows it by. Undefined where
 * it has those all, and was left to others for what it holds.
 */
export function likenessTo({ knownBy, reads, productOf }: KnownHeader, probe: TextProbe): Likeness | undefined {
  if (hasColumns(probe.header, ...knownBy)) return undefined;
  const further = Object.values(reads).filter((names) => !names.some((name) => knownBy.includes(name)));
  const columns: readonly ColumnNames[] = [...knownBy.map((name) => [name]), ...further];
  const missing = columns.filter((names) => findColumn(probe.header, names) === undefined);
  const shared = columns.length - missing.length;
  if (shared < MIN_SHARED || shared * 2 <= columns.length) return undefined;
  const product = productOf(probe);
  return product === undefined
    ? undefined
    : { product, missing: missing.map((names) => names.join(' or ')), share: shared / columns.length };
}
