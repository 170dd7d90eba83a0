/** Where a file has something wrong: enough to find it, and never a whole row. */
export interface Example {
  /** The row's number in the file, 1 being a table's header; in a shapefile the record's, from 1. */
  readonly row?: number | undefined;
  /** The column's name in the file. */
  readonly column?: string | undefined;
  /** What the cell holds, cut where it is long. */
  readonly value?: string | undefined;
  /** The tract that the row is about, where that is known. */
  readonly geoid?: string | undefined;
}

/** How many examples of one fault are kept of a file. */
export const MAX_EXAMPLES = 3;

const MAX_VALUE_LENGTH = 40;

/** The example as it is kept: its value cut, and nothing in it that is not known. */
export function keepExample({ row, column, value, geoid }: Example): Example {
  const cut = value !== undefined && value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value;
  return {
    ...(row ? { row } : {}),
    ...(column === undefined ? {} : { column }),
    ...(cut === undefined ? {} : { value: cut }),
    ...(geoid === undefined ? {} : { geoid }),
  };
}

/** As people are shown it: `row 2, FIPS "5.60E+10"`; empty where nothing is known of it. */
export function describeExample({ row, column, value, geoid }: Example): string {
  const cell = [column, value === undefined ? undefined : JSON.stringify(value)].filter((part) => part !== undefined);
  return [row === undefined ? '' : `row ${row}`, geoid === undefined ? '' : `GEOID ${geoid}`, cell.join(' ')]
    .filter((part) => part !== '')
    .join(', ');
}
