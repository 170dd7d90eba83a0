/** Where a fault is in a file: enough to locate it, but never a whole row. */
export interface Example {
  /** The row's number in the file, where 1 is a table's header; in a shapefile the record's number, from 1. */
  readonly row?: number | undefined;
  /** The column's name in the file. */
  readonly column?: string | undefined;
  /** The cell's content, truncated if long. */
  readonly value?: string | undefined;
  /** The tract that the row describes, if known. */
  readonly geoid?: string | undefined;
  /** The other file that the row contradicts, and the number of its row. */
  readonly contradicts?: string | undefined;
}

/** How many examples of one fault are kept per file. */
export const MAX_EXAMPLES = 3;

const MAX_VALUE_LENGTH = 40;

/** The example as it is stored: with its value truncated, and without properties that are unknown. */
export function keepExample({ row, column, value, geoid, contradicts }: Example): Example {
  const cut = value !== undefined && value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value;
  return {
    ...(row ? { row } : {}),
    ...(column === undefined ? {} : { column }),
    ...(cut === undefined ? {} : { value: cut }),
    ...(geoid === undefined ? {} : { geoid }),
    ...(contradicts === undefined ? {} : { contradicts }),
  };
}

/** The example as text: `row 2, FIPS "5.60E+10"`; empty if nothing is known. */
export function describeExample({ row, column, value, geoid, contradicts }: Example): string {
  const cell = [column, value === undefined ? undefined : JSON.stringify(value)].filter((part) => part !== undefined);
  const texts = [
    row === undefined ? '' : `row ${row}`,
    geoid === undefined ? '' : `GEOID ${geoid}`,
    cell.join(' '),
    contradicts === undefined ? '' : `which contradicts ${contradicts}`,
  ];
  return texts.filter((part) => part !== '').join(', ');
}
