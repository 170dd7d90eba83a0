/** A typed array that numbers are appended to; its capacity is at most twice its length, or 1,024 elements. */
export interface GrowingArray<T extends Uint16Array | Uint32Array | Int32Array | Uint8Array> {
  readonly length: number;
  push(value: number): void;
  /** The numbers appended so far, as a view that is valid until the next push. */
  values(): T;
}

const FIRST_CAPACITY = 1024;

/** An empty array of the given element type. */
export function growingArray<T extends Uint16Array | Uint32Array | Int32Array | Uint8Array>(
  Elements: new (length: number) => T,
): GrowingArray<T> {
  let values = new Elements(FIRST_CAPACITY);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push: (value) => {
      if (length === values.length) {
        const larger = new Elements(length * 2);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    // A subarray has the type of its array.
    values: () => values.subarray(0, length) as T,
  };
}
