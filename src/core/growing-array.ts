type NumberArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

const FIRST_CAPACITY = 64;

/** A typed array that grows by doubling: millions of numbers take only their bytes, no objects. */
export class GrowingArray<A extends NumberArray> {
  private values: A;
  private used = 0;

  constructor(private readonly Elements: new (length: number) => A) {
    this.values = new Elements(FIRST_CAPACITY);
  }

  get length(): number {
    return this.used;
  }

  push(value: number): void {
    if (this.used === this.values.length) {
      const larger = new this.Elements(this.used * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.used++] = value;
  }

  /** NaN if there is no such element. */
  at(index: number): number {
    return index < this.used ? (this.values[index] ?? Number.NaN) : Number.NaN;
  }

  set(index: number, value: number): void {
    this.values[index] = value;
  }

  /** The numbers appended so far, as a view that is valid until the next push. */
  view(): A {
    // A subarray has the type of its array.
    return this.values.subarray(0, this.used) as A;
  }
}
