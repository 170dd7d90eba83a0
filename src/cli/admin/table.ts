import { printable } from '../../core/printable.js';

/** Formats rows as aligned columns below their titles; empty cells are a dash. */
export function formatRows(titles: readonly string[], rows: readonly (readonly unknown[])[]): string[] {
  const cells = [titles, ...rows].map((row) => row.map(cellText));
  const widths = titles.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Formats a record, one field per line. Nested records and lists of records are indented below their name. */
export function formatFields(record: object): string[] {
  const fields = Object.entries(record).map(([name, value]) => ({
    name: `${name}:`,
    value,
    lines: nestedLines(value),
  }));
  const width = Math.max(0, ...fields.filter(({ lines }) => !lines).map(({ name }) => name.length));
  return fields.flatMap(({ name, value, lines }) =>
    lines ? [name, ...lines.map((line) => `  ${line}`)] : [`${name.padEnd(width)}  ${cellText(value)}`],
  );
}

/** The lines of a nested value; undefined if it fits on one line. */
function nestedLines(value: unknown): string[] | undefined {
  if (!isRecord(value)) return Array.isArray(value) && value.some(isRecord) ? recordLines(value) : undefined;
  return Object.keys(value).length === 0 ? undefined : formatFields(value);
}

/** Formats records as a table if all their values fit in cells, otherwise one record after the other. */
function recordLines(records: readonly unknown[]): string[] {
  const rows = records.map((entry) => (isRecord(entry) ? entry : { value: entry }));
  if (rows.some((row) => Object.values(row).some(nestedLines))) return rows.flatMap(formatFields);
  const titles = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return formatRows(
    titles,
    rows.map((row) => {
      const cells = new Map<string, unknown>(Object.entries(row));
      return titles.map((title) => cells.get(title));
    }),
  );
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The admin plane's format for times. */
const TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|\+00:00)$/;

/** Writes a time of the admin plane for people; any other text stays as it is. */
export const timeText = (text: string): string => text.replace(TIME, '$1 $2 UTC');

function cellText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(cellText).join(', ');
  if (value === null || value === undefined || value === '') return '–';
  if (isRecord(value) && Object.keys(value).length === 0) return '–';
  if (typeof value !== 'string') return printable(JSON.stringify(value));
  return printable(timeText(value));
}
