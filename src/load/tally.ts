import { type Example, keepExample, MAX_EXAMPLES } from './example.js';
import type { SourceId } from './source-id.js';

/**
 * The account of one product's rows in one file. Every row read ends as kept, rejected (wrong, counts toward the
 * threshold) or left out (right, but not wanted: another state, a territory, a vintage that cannot be bridged).
 */
export class Tally {
  read = 0;
  /** The number of the row that is being read, as in {@link Example}; 0 where none is. */
  row = 0;
  readonly rejected = new Map<string, number>();
  /** The first rejected rows of each reason. */
  readonly examples = new Map<string, Example[]>();
  readonly leftOut = new Map<string, number>();
  /** Things worth telling that cost no row: repaired GEOIDs, values out of range set to missing. */
  readonly notes = new Map<string, number>();

  /** The accounts of the columns whose values are metrics, by name. */
  readonly columns = new Map<string, ColumnTally>();

  constructor(
    readonly source: SourceId,
    readonly product: string,
    /** The file's label; undefined for rows of no file. */
    readonly file?: string,
  ) {}

  /**
   * Counts a row as wrong. `reason` is a short phrase without the row's contents; the example says where, in the row that
   * is being read if it names no other.
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

  /** Adds what another account counted, without its examples. */
  addAll(other: Tally): void {
    this.read += other.read;
    for (const [reason, rows] of other.rejected) add(this.rejected, reason, rows);
    for (const [reason, rows] of other.leftOut) this.leave(reason, rows);
    for (const [what, count] of other.notes) this.note(what, count);
  }

  /** The account of a column, by its name in the file. */
  column(name: string): ColumnTally {
    const known = this.columns.get(name);
    if (known) return known;
    const column = new ColumnTally(this, name);
    this.columns.set(name, column);
    return column;
  }

  get rejectedRows(): number {
    return sum(this.rejected);
  }

  get leftOutRows(): number {
    return sum(this.leftOut);
  }

  get kept(): number {
    return this.read - this.rejectedRows - this.leftOutRows;
  }
}

/** The account of one column's cells, of those rows that are wanted. */
export class ColumnTally {
  /** Cells that hold anything but a documented code for a missing value. */
  present = 0;
  /** Those of them that become null all the same: no number, or one that the metric cannot have. */
  unreadable = 0;
  /** The greatest value; −∞ where there is none. */
  greatest = Number.NEGATIVE_INFINITY;
  /** The first unreadable cells. */
  readonly examples: Example[] = [];

  constructor(
    readonly tally: Tally,
    readonly name: string,
  ) {}

  /** Counts a cell, which is counted as present already, as unreadable. `what` is noted in the file's account. */
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

const sum = (counts: Map<string, number>): number => [...counts.values()].reduce((total, count) => total + count, 0);
