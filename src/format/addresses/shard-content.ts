import { parseStreetText } from '../../core/streets/street-name.js';
import { packDirections } from './packed-columns.js';
import { ROWS_MAX } from './spelling-index.js';

/** The columns of a shard's ranges, in the order in which the ranges were added. */
export interface RangeColumns {
  readonly streets: Uint32Array;
  readonly zips: Uint32Array;
  readonly prefixes: Uint16Array;
  /** First and last house number of each range. */
  readonly numbers: Int32Array;
  readonly edges: Uint32Array;
  readonly tracts: Uint32Array;
}

/** Streets, sorted by the key of their name, then by the name. */
export interface StreetTable {
  readonly keys: readonly string[];
  readonly names: readonly string[];
  /** By street: the row of its key. */
  readonly keyOf: Uint32Array;
  readonly directions: Uint8Array;
  readonly types: readonly string[];
  readonly typeOf: Uint8Array;
  /** The row of each street, by the number that it was added with. */
  readonly newRow: Uint32Array;
}

/** Parses and sorts street names. The builder has already refused names without a word. */
export function orderStreets(names: readonly string[]): StreetTable {
  const parsed = names.map((name, added) => {
    const { key = '', before = 0, after = 0, type = '' } = parseStreetText(name) ?? {};
    return { name, added, key, directions: packDirections(before, after), type };
  });
  parsed.sort((a, b) => compare(a.key, b.key) || compare(a.name, b.name));
  const keys = [...new Set(parsed.map(({ key }) => key))];
  if (keys.length > ROWS_MAX) throw new RangeError(`${keys.length} street names in a state; ${ROWS_MAX} is the most`);
  const rowOfKey = new Map(keys.map((key, row) => [key, row]));
  const types = ['', ...new Set(parsed.map(({ type }) => type).filter((type) => type !== ''))].sort(compare);
  const rowOfType = new Map(types.map((type, row) => [type, row]));
  const newRow = new Uint32Array(names.length);
  parsed.forEach(({ added }, row) => {
    newRow[added] = row;
  });
  return {
    keys,
    names: parsed.map(({ name }) => name),
    keyOf: Uint32Array.from(parsed, ({ key }) => rowOfKey.get(key) ?? 0),
    directions: Uint8Array.from(parsed, ({ directions }) => directions),
    types,
    typeOf: Uint8Array.from(parsed, ({ type }) => rowOfType.get(type) ?? 0),
    newRow,
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The order of ranges in the file: by name, ZIP, street, prefix, number, edge. Duplicate rows are left out.
 */
export function orderRanges(columns: RangeColumns, { keyOf, newRow }: StreetTable): Uint32Array {
  const { streets, zips, prefixes, numbers, edges } = columns;
  const low = (row: number): number => Math.min(numbers[row * 2] ?? 0, numbers[row * 2 + 1] ?? 0);
  const street = Uint32Array.from(streets, (added) => newRow[added] ?? 0);
  const at = (column: Uint32Array | Uint16Array | Int32Array, row: number): number => column[row] ?? 0;
  const order = Uint32Array.from(streets, (_, row) => row).sort(
    (a, b) =>
      at(keyOf, at(street, a)) - at(keyOf, at(street, b)) ||
      at(zips, a) - at(zips, b) ||
      at(street, a) - at(street, b) ||
      at(prefixes, a) - at(prefixes, b) ||
      low(a) - low(b) ||
      at(edges, a) - at(edges, b) ||
      at(numbers, a * 2) - at(numbers, b * 2) ||
      at(numbers, a * 2 + 1) - at(numbers, b * 2 + 1),
  );
  const same = (a: number, b: number): boolean =>
    [street, zips, prefixes, edges].every((column) => column[a] === column[b]) &&
    numbers[a * 2] === numbers[b * 2] &&
    numbers[a * 2 + 1] === numbers[b * 2 + 1];
  return order.filter((row, position) => position === 0 || !same(row, order[position - 1] ?? 0));
}

/** The ordered ranges, cut into runs of one ZIP, street and prefix. */
export interface Runs {
  readonly zips: Uint32Array;
  readonly streets: Uint32Array;
  readonly prefixes: Uint16Array;
  /** First range of each run; one more entry for the end. */
  readonly ranges: Uint32Array;
  /** First run of each name; one more entry for the end. */
  readonly names: Uint32Array;
}

/** Cuts ordered ranges into runs. */
export function cutRuns(order: Uint32Array, columns: RangeColumns, table: StreetTable): Runs {
  const firsts: number[] = [];
  const names = new Uint32Array(table.keys.length + 1);
  const streetAt = (row: number): number => table.newRow[columns.streets[row] ?? 0] ?? 0;
  let before = -1;
  order.forEach((row, position) => {
    const isNext =
      before < 0 ||
      streetAt(row) !== streetAt(before) ||
      columns.zips[row] !== columns.zips[before] ||
      columns.prefixes[row] !== columns.prefixes[before];
    if (isNext) {
      firsts.push(position);
      const name = table.keyOf[streetAt(row)] ?? 0;
      names[name + 1] = firsts.length;
    }
    before = row;
  });
  for (let name = 1; name < names.length; name++) names[name] = Math.max(names[name] ?? 0, names[name - 1] ?? 0);
  const rowOf = (first: number): number => order[first] ?? 0;
  return {
    zips: Uint32Array.from(firsts, (first) => columns.zips[rowOf(first)] ?? 0),
    streets: Uint32Array.from(firsts, (first) => streetAt(rowOf(first))),
    prefixes: Uint16Array.from(firsts, (first) => columns.prefixes[rowOf(first)] ?? 0),
    ranges: Uint32Array.from([...firsts, order.length]),
    names,
  };
}
