import { obtain } from '../../core/obtain.js';
import { sum } from '../../core/sum.js';
import type { SourceId } from '../source-id.js';
import { type Example, keepExample, MAX_EXAMPLES } from './example.js';

/**
 * Counts one product's rows in one file. Every row read ends up kept, rejected (wrong; counts toward the threshold) or left
 * out (right but not wanted: another state, a territory, a vintage that cannot be bridged).
 */
export class Tally {
  read = 0;
  /** The number of the row being read, as in {@link Example}; 0 if none is. */
  row = 0;
  readonly rejected = new Map<string, number>();
  /** By reason, the first few rejected rows. */
  readonly examples = new Map<string, Example[]>();
  readonly leftOut = new Map<string, number>();
  /** Noteworthy events that did not cost a row: repaired GEOIDs, values out of range set to missing. */
  readonly notes = new Map<string, number>();

  /** The tallies of the columns that hold metrics, by column name. */
  readonly columns = new Map<string, ColumnTally>();

  constructor(
    readonly source: SourceId,
    readonly product: string,
    /** The file's label; undefined for rows of no file. */
    readonly file?: string,
  ) {}

  /**
   * Counts a row as rejected. `reason` is a short phrase without the row's contents. The example says where the fault is;
   * without a row number it refers to the row being read.
   */
  reject(reason: string, example: Example = {}, rows = 1): void {
    add(this.rejected, reason, rows);
    const examples = this.examples.get(reason);
    if (examples && examples.length >= MAX_EXAMPLES) return;
    const kept = keepExample({ row: this.row, ...example });
    if (examples) examples.push(kept);
    else this.examples.set(reason, [kept]);
  }

  leave(reason: string, rows = 1): void {
    add(this.leftOut, reason, rows);
  }

  note(what: string, count = 1): void {
    add(this.notes, what, count);
  }

  /** Adds another tally's counts, but not its examples and columns. */
  addAll(other: Tally): void {
    this.read += other.read;
    for (const [reason, rows] of other.rejected) add(this.rejected, reason, rows);
    for (const [reason, rows] of other.leftOut) this.leave(reason, rows);
    for (const [what, count] of other.notes) this.note(what, count);
  }

  /** The tally of a column, by the column's name in the file. */
  column(name: string): ColumnTally {
    return obtain(this.columns, name, () => new ColumnTally(this, name));
  }

  get rejectedRows(): number {
    return sum(this.rejected.values());
  }

  get leftOutRows(): number {
    return sum(this.leftOut.values());
  }

  get kept(): number {
    return this.read - this.rejectedRows - this.leftOutRows;
  }
}

/** Counts the cells of one column, in the rows that are wanted. */
export class ColumnTally {
  /** Cells that hold anything but a documented code for a missing value. */
  present = 0;
  /** Cells among these that become null nevertheless: they hold no number, or one out of the metric's range. */
  unreadable = 0;
  /** Whether a row serves without the column's value; then a few unreadable ones do not condemn the file. */
  optional = false;
  /** The greatest value; −∞ if there is none. */
  greatest = Number.NEGATIVE_INFINITY;
  /** The first unreadable cells. */
  readonly examples: Example[] = [];

  constructor(
    readonly tally: Tally,
    readonly name: string,
  ) {}

  /** Counts a cell, already counted as present, as unreadable, and adds the note `what` to the file's tally. */
  misread(what: string, value: string): void {
    this.unreadable++;
    this.tally.note(what);
    if (this.examples.length >= MAX_EXAMPLES) return;
    this.examples.push(keepExample({ row: this.tally.row, column: this.name, value }));
  }
}

function add(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
