/** The array types that can hold a column. */
type ColumnArray = Float64Array | Uint8Array | Uint16Array | Uint32Array;

/** A column of numbers that grows by doubling: a registry's millions of values take only their bytes, no objects. */
export class GrowingColumn<A extends ColumnArray> {
  private values: A;
  private used = 0;

  constructor(private readonly create: (length: number) => A) {
    this.values = create(64);
  }

  get length(): number {
    return this.used;
  }

  push(value: number): void {
    if (this.used === this.values.length) {
      const larger = this.create(this.used * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.used++] = value;
  }

  /** NaN if there is no such row. */
  at(row: number): number {
    return row < this.used ? (this.values[row] ?? Number.NaN) : Number.NaN;
  }

  set(row: number, value: number): void {
    this.values[row] = value;
  }
}
