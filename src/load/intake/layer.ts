import { type Geoid, stateFipsOf } from '../../core/geoid.js';
import type { SourceId, TractVintage } from '../source-id.js';
import type { Example } from './example.js';
import type { Tally } from './tally.js';

/** Identifies a layer: one table of one product in one vintage. Layers with the same {@link layerId} are merged. */
export interface LayerKey {
  readonly source: SourceId;
  /** `B19013`, `DP03`; for products of one table their short name: `SVI`, `PLACES`, `EJScreen`, `CenPop`. */
  readonly table: string;
  /** The vintage; the newest wins. For ACS the last of its five years; for SVI, EJScreen and PLACES the release year. */
  readonly year: number;
  readonly tractVintage: TractVintage;
  /** Shown to users and, for EJScreen, served as `epa_data._source`: `EPA EJScreen 2023`. */
  readonly label: string;
  /** Paths of the metrics in the layer's columns, in order; only metrics that some file of the layer has a column for. */
  readonly metrics: readonly string[];
  /**
   * Among layers of one year that hold the same metric, the lowest wins: 0 for ACS detailed tables and for sources without
   * competing tables, 1 for ACS profile and subject tables, 2 for a fallback such as the 2020 census count.
   */
  readonly preference: number;
}

/** Rows of one file that a layer's row is made of, with the tally that counts them. */
interface RowPart {
  readonly tally: Tally;
  /** How many file rows: one, except in long layouts. */
  readonly rows: number;
  /** The number of the first of them, as in `Example`; 0 if unknown. */
  readonly row: number;
}

const REPEATED = 'duplicate row';
const CONTRADICTING = 'duplicate GEOID with other values';

/**
 * The values of one table and vintage by tract as published, before GEOIDs are bridged between delineations. A national load
 * has millions of rows in dozens of layers, so a row is no object: it is known by its position.
 */
export class Layer {
  /** States (two-digit FIPS) whose SVI ranks were computed within the state rather than within the nation. */
  readonly stateRanked = new Set<string>();
  /** By state, the metrics that its rows have columns for: a file may hold only a part of the table. */
  private readonly metricsByState = new Map<string, Set<string>>();
  private readonly positionOf = new Map<Geoid, number>();
  private readonly padded = new Set<Geoid>();
  /** By position, the tally of the file that the row comes from. */
  private readonly tallies: Tally[] = [];
  /** By position, the row's number in that file. */
  private readonly rowNumbers: number[] = [];
  /** The parts of each row that is made of anything but one row of one file. */
  private readonly parts = new Map<Geoid, readonly RowPart[]>();
  /** Row-major. Grows by doubling, because a national load has many layers. */
  private values: Float64Array;

  constructor(
    private currentKey: LayerKey,
    /** The tally of the file whose rows are added; rows merged from other layers keep their own. */
    readonly tally: Tally,
  ) {
    this.values = new Float64Array(currentKey.metrics.length * 64);
  }

  /** Gains metrics when a layer with further metrics is merged into this one. */
  get key(): LayerKey {
    return this.currentKey;
  }

  /** The positions of the tracts' rows, in the order in which they were added: 0, 1, 2… */
  get positions(): ReadonlyMap<Geoid, number> {
    return this.positionOf;
  }

  get size(): number {
    return this.positionOf.size;
  }

  /**
   * Adds a row. A row for a GEOID that is already present is left out if it repeats the same values, and rejected if it has
   * any others. The caller has already counted the `sourceRows` file rows as read.
   */
  add(geoid: Geoid, values: ArrayLike<number>, padded = false, sourceRows = 1): void {
    const state = stateFipsOf(geoid);
    if (!this.metricsByState.has(state)) this.metricsByState.set(state, new Set(this.key.metrics));
    const earlier = this.positionOf.get(geoid);
    if (earlier === undefined)
      this.append(geoid, values, padded, [{ tally: this.tally, rows: sourceRows, row: this.tally.row }]);
    else if (this.equals(earlier, values)) this.tally.leave(REPEATED, sourceRows);
    else this.tally.reject(CONTRADICTING, { geoid }, sourceRows);
  }

  /** The value at a position in the column of `key.metrics[column]`; NaN if it is missing, or at -1, where nothing is. */
  valueAt(position: number, column: number): number {
    if (position < 0 || column < 0) return Number.NaN;
    return this.values[position * this.key.metrics.length + column] ?? Number.NaN;
  }

  /** Whether the rows at two positions have the same values, and the same ones missing. */
  areEqual(position: number, other: number): boolean {
    return this.equals(position, this.rowAt(other));
  }

  /** Whether the tract's GEOID had lost its leading zero: its row is kept only if padding it gives a known tract. */
  isPadded(geoid: Geoid): boolean {
    return this.padded.has(geoid);
  }

  private rowAt(position: number): Float64Array {
    const width = this.key.metrics.length;
    return this.values.subarray(position * width, (position + 1) * width);
  }

  private equals(position: number, values: ArrayLike<number>): boolean {
    return this.rowAt(position).every((value, column) => Object.is(value, values[column] ?? Number.NaN));
  }

  /** Counts the tract's row as rejected, in the tallies of the files that it comes from. */
  reject(geoid: Geoid, reason: string, example: Example = {}): void {
    for (const { tally, rows, row } of this.partsOf(geoid)) tally.reject(reason, { ...example, row, geoid }, rows);
  }

  /** Counts the tract's row as left out, in the tallies of the files that it comes from. */
  leave(geoid: Geoid, reason: string): void {
    for (const { tally, rows } of this.partsOf(geoid)) tally.leave(reason, rows);
  }

  /** Adds a note on the tract's row to the tally of the first file that it comes from. */
  note(geoid: Geoid, what: string): void {
    this.partsOf(geoid)[0]?.tally.note(what);
  }

  /** The labels of the files that have rows of a state. */
  filesOf(stateFips: string): string[] {
    const own = [...this.positionOf.keys()].filter((geoid) => stateFipsOf(geoid) === stateFips);
    const files = own.flatMap((geoid) => this.partsOf(geoid).flatMap(({ tally }) => tally.file ?? []));
    return [...new Set(files)];
  }

  private partsOf(geoid: Geoid): readonly RowPart[] {
    const parts = this.parts.get(geoid);
    if (parts) return parts;
    const position = this.positionOf.get(geoid) ?? -1;
    const tally = this.tallies[position];
    return tally ? [{ tally, rows: 1, row: this.rowNumbers[position] ?? 0 }] : [];
  }

  /** Whether the state has rows from a file with this metric's column, even if no row has a value in it. */
  holds(stateFips: string, metric: string): boolean {
    return this.metricsByState.get(stateFips)?.has(metric) ?? false;
  }

  /**
   * Merges another file's layer of the same key, row by row and column by column, since downloads may be split by variable
   * or measure. A row fills values that are missing here; it is rejected if one of its values contradicts a known one.
   */
  merge(other: Layer): void {
    this.widen(other.key.metrics.filter((metric) => !this.key.metrics.includes(metric)));
    const columns = this.key.metrics.map((metric) => other.key.metrics.indexOf(metric));
    const values = new Float64Array(columns.length);
    for (const [geoid, position] of other.positions) {
      columns.forEach((column, at) => {
        values[at] = other.valueAt(position, column);
      });
      const earlier = this.positionOf.get(geoid);
      if (earlier === undefined) this.append(geoid, values, other.isPadded(geoid), other.partsOf(geoid));
      else this.complete(geoid, this.rowAt(earlier), values, other);
    }
    for (const state of other.stateRanked) this.stateRanked.add(state);
    for (const [state, metrics] of other.metricsByState) {
      this.metricsByState.set(state, new Set([...(this.metricsByState.get(state) ?? []), ...metrics]));
    }
  }

  /** Appends empty columns. */
  private widen(metrics: readonly string[]): void {
    if (metrics.length === 0) return;
    const width = this.key.metrics.length;
    const wider = width + metrics.length;
    const values = new Float64Array(Math.max(this.size, 64) * wider).fill(Number.NaN);
    for (let row = 0; row < this.size; row++) {
      values.set(this.rowAt(row), row * wider);
    }
    this.values = values;
    this.currentKey = { ...this.key, metrics: [...this.key.metrics, ...metrics] };
  }

  private complete(geoid: Geoid, earlier: Float64Array, values: Float64Array, other: Layer): void {
    if (contradicts(earlier, values)) {
      const [known] = this.partsOf(geoid);
      other.reject(geoid, CONTRADICTING, { contradicts: known?.tally.file && `${known.tally.file}, row ${known.row}` });
    } else if (!fillGaps(earlier, values)) other.leave(geoid, REPEATED);
    else {
      if (other.isPadded(geoid)) this.padded.add(geoid);
      this.parts.set(geoid, [...this.partsOf(geoid), ...other.partsOf(geoid)]);
    }
  }

  private append(geoid: Geoid, values: ArrayLike<number>, padded: boolean, parts: readonly RowPart[]): void {
    const width = this.key.metrics.length;
    const offset = this.size * width;
    if (offset + width > this.values.length) {
      const larger = new Float64Array(this.values.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    for (let column = 0; column < width; column++) this.values[offset + column] = values[column] ?? Number.NaN;
    this.positionOf.set(geoid, this.size);
    if (padded) this.padded.add(geoid);
    const [first] = parts;
    this.tallies.push(first?.tally ?? this.tally);
    this.rowNumbers.push(first?.row ?? 0);
    if (parts.length > 1 || first?.rows !== 1) this.parts.set(geoid, parts);
  }
}

/** Equal for layers that are to be merged into one. */
export function layerId(key: LayerKey): string {
  return `${key.source}/${key.table}/${key.year}`;
}

/** Whether the rows have different values in a column that is known in both. */
function contradicts(a: Float64Array, b: Float64Array): boolean {
  return a.some((value, index) => {
    const other = b[index] ?? Number.NaN;
    return !Number.isNaN(value) && !Number.isNaN(other) && value !== other;
  });
}

/** Fills the target's missing values; false if there was nothing to fill. */
function fillGaps(target: Float64Array, values: Float64Array): boolean {
  let filled = false;
  values.forEach((value, index) => {
    if (Number.isNaN(value) || !Number.isNaN(target[index] ?? 0)) return;
    target[index] = value;
    filled = true;
  });
  return filled;
}
