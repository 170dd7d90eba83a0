import { hasColumns } from './columns.js';

/** A column that only some releases of a product have, with the first or the last such release. */
export interface ReleaseMark {
  readonly column: string;
  readonly since?: number;
  readonly until?: number;
}

/** The marks in a header that a year's release does not have. Missing columns do not count: they may have been removed. */
export function foreignMarks(marks: readonly ReleaseMark[], header: readonly string[], year: number): ReleaseMark[] {
  const foreign = marks.filter(({ since = year, until = year }) => year < since || year > until);
  return foreign.filter(({ column }) => hasColumns(header, column));
}
