import { type Geoid, stateFipsOf } from '../core/geoid.js';
import type { SourceId, TractVintage } from './source-id.js';
import type { Tally } from './tally.js';

/** What a layer is: one table of one product in one vintage. Layers of equal key are one. */
export interface LayerKey {
  readonly source: SourceId;
  /** `B19013`, `DP03`; for one-table products the product's short name: `SVI`, `PLACES`, `EJScreen`, `CenPop`. */
  readonly table: string;
  /** The vintage by which newer wins: last year of ACS's five, SVI's, EJScreen's and PLACES' release year. */
  readonly year: number;
  readonly tractVintage: TractVintage;
  /** As shown to people and, for EJScreen, in `epa_data._source`: `EPA EJScreen 2023`. */
  readonly label: string;
  /** Paths of the metrics that the layer's columns hold, in order; none that no file of it has a column for. */
  readonly metrics: readonly string[];
  /**
   * Among layers of equal year for one metric the least wins: 0 for ACS detailed tables and everything that stands
   * alone, 1 for ACS profile and subject tables, 2 for a fallback such as the 2020 census count.
   */
  readonly preference: number;
}

/** One row of a layer, by the layer's columns; NaN is missing. */
export interface LayerRow {
  readonly values: Float64Array;
  /** The GEOID had lost its leading zero and was padded: to be kept only where that gives a known tract. */
  readonly padded: boolean;
}

/** Rows of one file that a layer's row is made of, and the account that they are in. */
interface RowPart {
  readonly tally: Tally;
  /** How many: one, but for long layouts. */
  readonly rows: number;
  /** The number of the first of them, as in an example; 0 where it is not known. */
  readonly row: number;
}

const REPEATED = 'the same row again';
const CONTRADICTING = 'duplicate GEOID with other values';

/** The values of one table and vintage by tract, as published, before any bridging between delineations. */
export class Layer {
  /** States (two-digit FIPS) that this layer ranks within themselves rather than within the nation (SVI). */
  readonly stateRanked = new Set<string>();
  /** By state, the metrics that its rows came with: a file can hold a part of the table only. */
  private readonly metricsByState = new Map<string, Set<string>>();
  private readonly positions = new Map<Geoid, number>();
  private readonly padded = new Set<Geoid>();
  /** By position, the account of the file that the row is from. */
  private readonly tallies: Tally[] = [];
  /** By position, the row's number there. */
  private readonly rowNumbers: number[] = [];
  /** What rows are made of where that is not one row of one file. */
  private readonly parts = new Map<Geoid, readonly RowPart[]>();
  /** Row-major; grows by doubling, since a nation's layers are many. */
  private values: Float64Array;

  constructor(
    private currentKey: LayerKey,
    /** The account of the file whose rows are added; rows that are merged in keep their own. */
    readonly tally: Tally,
  ) {
    this.values = new Float64Array(currentKey.metrics.length * 64);
  }

  /** Its metrics become more when a layer with others is merged into it. */
  get key(): LayerKey {
    return this.currentKey;
  }

  get size(): number {
    return this.positions.size;
  }

  /**
   * Adds a row, or rejects it: a GEOID that is there already is left out where it says the same again and rejected
   * where it says anything else. The caller has counted the `sourceRows` rows as read.
   */
  add(geoid: Geoid, values: ArrayLike<number>, padded = false, sourceRows = 1): void {
    const state = stateFipsOf(geoid);
    if (!this.metricsByState.has(state)) this.metricsByState.set(state, new Set(this.key.metrics));
    const earlier = this.get(geoid);
    if (!earlier) this.append(geoid, values, padded, [{ tally: this.tally, rows: sourceRows, row: this.tally.row }]);
    else if (sameValues(earlier.values, values)) this.tally.leave(REPEATED, sourceRows);
    else this.tally.reject(CONTRADICTING, { geoid }, sourceRows);
  }

  /** The row of a tract, if the layer has one. */
  get(geoid: Geoid): LayerRow | undefined {
    const position = this.positions.get(geoid);
    return position === undefined ? undefined : this.rowAt(position, geoid);
  }

  private rowAt(position: number, geoid: Geoid): LayerRow {
    const width = this.key.metrics.length;
    return {
      values: this.values.subarray(position * width, (position + 1) * width),
      padded: this.padded.has(geoid),
    };
  }

  /** Counts the tract's row as wrong, in the accounts of the files that it is from. */
  reject(geoid: Geoid, reason: string): void {
    for (const { tally, rows, row } of this.partsOf(geoid)) tally.reject(reason, { row, geoid }, rows);
  }

  /** Counts the tract's row as left out, in the accounts of the files that it is from. */
  leave(geoid: Geoid, reason: string): void {
    for (const { tally, rows } of this.partsOf(geoid)) tally.leave(reason, rows);
  }

  /** Notes something of the tract's row, in the account of the first file that it is from. */
  note(geoid: Geoid, what: string): void {
    this.partsOf(geoid)[0]?.tally.note(what);
  }

  private partsOf(geoid: Geoid): readonly RowPart[] {
    const parts = this.parts.get(geoid);
    if (parts) return parts;
    const position = this.positions.get(geoid) ?? -1;
    const tally = this.tallies[position];
    return tally ? [{ tally, rows: 1, row: this.rowNumbers[position] ?? 0 }] : [];
  }

  /** Whether the state has rows that came with this metric's column, be it without a value. */
  holds(stateFips: string, metric: string): boolean {
    return this.metricsByState.get(stateFips)?.has(metric) ?? false;
  }

  /** All rows, in the order in which they came. */
  *entries(): Generator<[Geoid, LayerRow]> {
    for (const [geoid, position] of this.positions) yield [geoid, this.rowAt(position, geoid)];
  }

  /**
   * Takes over another file's layer of the same key, row by row and, since downloads are split by variable and by
   * measure, column by column: a row fills what is missing here, and is rejected where a known value contradicts.
   */
  merge(other: Layer): void {
    this.widen(other.key.metrics.filter((metric) => !this.key.metrics.includes(metric)));
    const columns = this.key.metrics.map((metric) => other.key.metrics.indexOf(metric));
    for (const [geoid, row] of other.entries()) {
      const values = Float64Array.from(columns, (column) => row.values[column] ?? Number.NaN);
      const earlier = this.get(geoid);
      if (earlier) this.complete(geoid, earlier, { ...row, values }, other);
      else this.append(geoid, values, row.padded, other.partsOf(geoid));
    }
    for (const state of other.stateRanked) this.stateRanked.add(state);
    for (const [state, metrics] of other.metricsByState) {
      this.metricsByState.set(state, new Set([...(this.metricsByState.get(state) ?? []), ...metrics]));
    }
  }

  /** Appends columns without a value. */
  private widen(metrics: readonly string[]): void {
    if (metrics.length === 0) return;
    const width = this.key.metrics.length;
    const wider = width + metrics.length;
    const values = new Float64Array(Math.max(this.size, 64) * wider).fill(Number.NaN);
    for (let row = 0; row < this.size; row++) {
      values.set(this.values.subarray(row * width, (row + 1) * width), row * wider);
    }
    this.values = values;
    this.currentKey = { ...this.key, metrics: [...this.key.metrics, ...metrics] };
  }

  private complete(geoid: Geoid, earlier: LayerRow, { values, padded }: LayerRow, other: Layer): void {
    if (contradicts(earlier.values, values)) other.reject(geoid, CONTRADICTING);
    else if (!fillGaps(earlier.values, values)) other.leave(geoid, REPEATED);
    else {
      if (padded) this.padded.add(geoid);
      this.parts.set(geoid, [...this.partsOf(geoid), ...other.partsOf(geoid)]);
    }
  }

  private append(geoid: Geoid, values: ArrayLike<number>, padded: boolean, parts: readonly RowPart[]): void {
    const width = this.key.metrics.length;
    const offset = this.positions.size * width;
    if (offset + width > this.values.length) {
      const larger = new Float64Array(this.values.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    for (let column = 0; column < width; column++) this.values[offset + column] = values[column] ?? Number.NaN;
    this.positions.set(geoid, this.positions.size);
    if (padded) this.padded.add(geoid);
    const [first] = parts;
    this.tallies.push(first?.tally ?? this.tally);
    this.rowNumbers.push(first?.row ?? 0);
    if (parts.length > 1 || first?.rows !== 1) this.parts.set(geoid, parts);
  }
}

/** Whether two layers belong together. */
export function layerId(key: LayerKey): string {
  return `${key.source}/${key.table}/${key.year}`;
}

function sameValues(a: Float64Array, b: ArrayLike<number>): boolean {
  return a.every((value, index) => Object.is(value, b[index] ?? Number.NaN));
}

/** Whether some column is known in both rows, with different values. */
function contradicts(a: Float64Array, b: Float64Array): boolean {
  return a.some((value, index) => {
    const other = b[index] ?? Number.NaN;
    return !Number.isNaN(value) && !Number.isNaN(other) && value !== other;
  });
}

/** Puts values where the target has none; false where there was none to put. */
function fillGaps(target: Float64Array, values: Float64Array): boolean {
  let filled = false;
  values.forEach((value, index) => {
    if (Number.isNaN(value) || !Number.isNaN(target[index] ?? 0)) return;
    target[index] = value;
    filled = true;
  });
  return filled;
}
