/** Numbers that are appended one by one, at their own size and no more than twice it. */
export interface GrowingArray<T extends Uint16Array | Uint32Array | Int32Array | Uint8Array> {
  readonly length: number;
  push(value: number): void;
  /** What has been appended, in place; good until the next push. */
  values(): T;
}

const FIRST_CAPACITY = 1024;

/** An empty array of this kind. */
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
    // The part of an array is an array of its kind.
    values: () => values.subarray(0, length) as T,
  };
}
