/** The bytes within a larger buffer that holds other things around them: what a reader that forgets an offset gets wrong. */
export function atOffset64(bytes: Uint8Array, shift = 0): Uint8Array {
  const offset = 64 + shift;
  const buffer = new Uint8Array(bytes.byteLength + 2 * offset).fill(0xa5);
  buffer.set(bytes, offset);
  return buffer.subarray(offset, offset + bytes.byteLength);
}
