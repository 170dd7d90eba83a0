/** A copy of the bytes inside a larger buffer, surrounded by other bytes, to catch readers that ignore `byteOffset`. */
export function atOffset64(bytes: Uint8Array, shift = 0): Uint8Array {
  const offset = 64 + shift;
  const buffer = new Uint8Array(bytes.byteLength + 2 * offset).fill(0xa5);
  buffer.set(bytes, offset);
  return buffer.subarray(offset, offset + bytes.byteLength);
}
