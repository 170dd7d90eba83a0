import { type AcsTable, type AcsValue, type AcsVariable, acsTable } from './tables.js';

/** `B19013_001E`, `S1701_C02_001E`, `DP03_0062E` in data.census.gov files and the API; margins, annotations do not match. */
const LISTED = /^((?:B\d{5}|S\d{4}|DP\d{2})(?:_C\d{2})?_\d{3,4})E$/i;
/** `B19013_E001` in the table-based summary file. */
const SUMMARY_FILE = /^(B\d{5})_E(\d{3})$/i;

/** Which columns of a file hold which estimates. */
export interface AcsHeader {
  /** Column index by variable code, such as `B19013_001`. */
  readonly columns: ReadonlyMap<string, number>;
  /** The index of the second column with the same variable, by variable code. */
  readonly repeated: ReadonlyMap<string, number>;
  /** The column index of each variable's margin of error, by variable code. */
  readonly margins: ReadonlyMap<string, number>;
  /** The normalized label of each column; no labels if the file has no label row. */
  readonly labels: readonly string[];
}

/** The columns from which a table's metric is computed. */
export interface LocatedValue {
  readonly metric: string;
  readonly parts: readonly number[];
  readonly whole: number | undefined;
}

/** Finds the estimates and margins of error in a header. `labels` are the cells of the row below it, if that holds labels. */
export function acsHeader(names: readonly string[], labels: readonly string[] = []): AcsHeader {
  const columns = new Map<string, number>();
  const repeated = new Map<string, number>();
  const margins = new Map<string, number>();
  names.forEach((name, index) => {
    const code = codeOf(name.trim());
    const ofMargin = code === undefined ? codeOf(estimateOf(name.trim())) : undefined;
    if (ofMargin !== undefined) margins.set(ofMargin, index);
    if (code === undefined) return;
    if (!columns.has(code)) columns.set(code, index);
    else if (!repeated.has(code)) repeated.set(code, index);
  });
  return { columns, repeated, margins, labels: labels.map(normalizeLabel) };
}

/** The tables that the loader uses and of which the header has at least one estimate. */
export function tablesOf(header: AcsHeader): readonly AcsTable[] {
  const ids = new Set([...header.columns.keys()].map((code) => code.slice(0, code.indexOf('_'))));
  return [...ids].map(acsTable).filter((table) => table !== undefined);
}

/** Where a metric's columns are, or the names of those that are missing, for an error message. */
export function locate(value: AcsValue, header: AcsHeader, year: number): LocatedValue | readonly string[] {
  const find = (variable: AcsVariable): number | undefined => columnOf(variable, header, year);
  const wanted = value.whole ? [...value.parts, value.whole] : value.parts;
  const missing = wanted.filter((variable) => find(variable) === undefined).map((variable) => `${variable.code}E`);
  if (missing.length > 0) return missing;
  return {
    metric: value.metric,
    parts: value.parts.map(find).filter((column) => column !== undefined),
    whole: value.whole && find(value.whole),
  };
}

/**
 * Found by label if the file has labels and the variable has one; else by its code, if that is valid for the year. In some
 * years two lines of a table have the same label: then the one with the variable's code is meant.
 */
function columnOf(variable: AcsVariable, header: AcsHeader, year: number): number | undefined {
  if (header.labels.length === 0 || !variable.label) {
    return year >= (variable.since ?? 0) ? header.columns.get(variable.code) : undefined;
  }
  const { label } = variable;
  const isNamed = (column: number | undefined): boolean =>
    column !== undefined && label.test(header.labels[column] ?? '');
  const own = header.columns.get(variable.code);
  if (isNamed(own)) return own;
  const table = variable.code.slice(0, variable.code.indexOf('_') + 1);
  for (const [code, column] of header.columns) {
    if (code.startsWith(table) && isNamed(column)) return column;
  }
  return undefined;
}

function codeOf(name: string): string | undefined {
  const summary = SUMMARY_FILE.exec(name);
  const code = summary ? `${summary[1]}_${summary[2]}` : LISTED.exec(name)?.[1];
  return code?.toUpperCase();
}

/** The name of the estimate's column, of the name of its margin's: `B19013_001M`, `B19013_M001`. */
const estimateOf = (name: string): string => name.replace(/M(?=(?:\d{3})?$)/i, 'E');

const ESTIMATE = 'estimate';

/** Subject tables up to 2016 write `Households!!Estimate!!Median income (dollars)`, later ones begin with `Estimate`. */
function normalizeLabel(label: string): string {
  const parts = label.split('!!').map((part) => part.trim().replace(/:$/, '').toLowerCase());
  const [column = '', second, ...rest] = parts;
  return (second === ESTIMATE ? [ESTIMATE, column, ...rest] : parts).join('!!');
}
