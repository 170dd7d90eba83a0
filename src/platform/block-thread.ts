const nothing = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Blocks the calling thread, its event loop included, without using the processor. */
export function blockThread(milliseconds: number): void {
  Atomics.wait(nothing, 0, 0, milliseconds);
}
