import { BY_SEMICOLONS, beginning } from '../files/content-kind.js';
import { InputError } from '../input.js';

/** The names by which a column is known, the official one first. Case is ignored. */
export type ColumnNames = readonly string[];

/** The index of the column with the first of these names that the header has, or undefined. */
export function findColumn(header: readonly string[], names: ColumnNames): number | undefined {
  const lower = header.map((name) => name.toLowerCase());
  for (const name of names) {
    const index = lower.indexOf(name.toLowerCase());
    if (index >= 0) return index;
  }
  return undefined;
}

/** The names of those of the columns that the header lacks, as messages give them: `lng or lon or longitude`. */
export function missingColumns(header: readonly string[], columns: readonly ColumnNames[]): string[] {
  return columns.filter((names) => findColumn(header, names) === undefined).map((names) => names.join(' or '));
}

/** Whether the header has every one of these columns. */
export function hasColumns(header: readonly string[], ...names: readonly string[]): boolean {
  return names.every((name) => findColumn(header, [name]) !== undefined);
}

/**
 * Like `findColumn`, for a column that is read. Throws `InputError` naming file, column and positions if the header has it
 * twice: nothing says which of the two is right.
 */
export function optionalColumn(label: string, header: readonly string[], names: ColumnNames): number | undefined {
  const index = findColumn(header, names);
  if (index === undefined) return undefined;
  const again = header.findIndex((name, at) => at > index && isSameName(name, header[index]));
  if (again > index) throw columnTwice(label, header[index] ?? '', index, again);
  return index;
}

const isSameName = (name: string, other = ''): boolean => name.toLowerCase() === other.toLowerCase();

/** The error for a column that the header has twice, at these indexes (from 0). */
export function columnTwice(label: string, name: string, first: number, second: number): InputError {
  return new InputError(`${label}: column ${name} occurs twice (columns ${first + 1} and ${second + 1})`);
}

/**
 * The indexes of all wanted columns. Throws `InputError` naming the file and every missing column, or a column that the
 * header has twice.
 */
export function requireColumns<Key extends string>(
  label: string,
  header: readonly string[],
  wanted: Readonly<Record<Key, ColumnNames>>,
): Readonly<Record<Key, number>> {
  const found = new Map<string, number>();
  const missing: string[] = [];
  for (const [key, names] of Object.entries<ColumnNames>(wanted)) {
    const index = optionalColumn(label, header, names);
    if (index === undefined) missing.push(names.join(' or '));
    else found.set(key, index);
  }
  if (missing.length > 0) {
    const why = found.size === 0 ? whyNoHeader(header) : '';
    throw new InputError(`${label}: columns missing: ${missing.join(', ')}${why}`);
  }
  // Every key of `wanted` has been found, or the line above has thrown.
  return Object.fromEntries(found) as Record<Key, number>;
}

/** The trimmed cell at an index; empty if the row has no such cell, or the index is undefined. */
export function cellAt(cells: readonly string[], index: number | undefined): string {
  return index === undefined ? '' : (cells[index] ?? '').trim();
}

/** Says what is wrong with a first line that has none of the columns. */
function whyNoHeader(header: readonly string[]): string {
  const line = header.join(',');
  if (header.length === 1 && line.includes(';')) return `; ${BY_SEMICOLONS}`;
  return `; its first line is not a header: ${line.trim() === '' ? 'it is blank' : beginning(line)}`;
}
