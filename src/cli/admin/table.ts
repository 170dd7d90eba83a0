import { printable } from '../../core/printable.js';

/** Rows as aligned columns below their titles; empty cells are a dash. */
export function formatTable(titles: readonly string[], rows: readonly (readonly unknown[])[]): string[] {
  const cells = [titles, ...rows].map((row) => row.map(cellText));
  const widths = titles.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** The fields of a record, one a line. */
export function formatFields(record: object): string[] {
  const fields = Object.entries(record).map(([name, value]) => [`${name}:`, cellText(value)] as const);
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return fields.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}

function cellText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  const text = typeof value === 'string' ? value : Array.isArray(value) ? value.map(cellText).join(', ') : json(value);
  return printable(text);
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? '';
}
