import { printable } from './printable.js';

/** A last cell can be very long, such as a list of addresses; a rule as long would wrap in the terminal. */
const LAST_RULE_MAX = 40;

/** A table's lines for a terminal: cells padded to their column's width, columns of numbers aligned to the right. */
export function formatTable(header: readonly string[], cells: readonly (readonly string[])[]): string[] {
  const rows = cells.map((row) => row.map(printable));
  const widths = header.map((cell, at) => Math.max(cell.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const isNumber = header.map((_, at) => rows.every((row) => /^\d+$/.test(row[at] ?? '')));
  const format = (row: readonly string[]): string =>
    row
      .map((cell, at) => (isNumber[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  const rules = widths.with(-1, Math.min(widths.at(-1) ?? 0, LAST_RULE_MAX)).map((width) => '─'.repeat(width));
  return [format(header), rules.join('──'), ...rows.map(format)];
}
