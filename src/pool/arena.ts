import type { Allocate } from '../query/body-writer.js';
import { LENT } from './protocol.js';

/** Where a body lies in an arena: the index of its buffer, or {@link LENT}, and the offset of its first byte there. */
export interface ArenaPlace {
  readonly buffer: number;
  readonly start: number;
}

/** Memory for the bodies of one batch, so that they can be transferred to another thread in one piece. */
export interface Arena {
  /** Allocates memory for one body. */
  readonly allocate: Allocate;
  /** Where a body lies that was allocated by {@link allocate}. */
  placeOf(body: Uint8Array): ArenaPlace;
  /** All buffers except the lent memory; nothing may be allocated afterwards. */
  finish(): ArrayBuffer[];
}

/** The smallest buffer: large enough that a batch of small answers needs no second one. */
const LEAST_BYTES = 4096;

/**
 * Creates an arena that is expected to need `expectedBytes` in total; it allocates more if that is not enough. The lent
 * memory is used first.
 */
export function createArena(expectedBytes: number, lent?: SharedArrayBuffer): Arena {
  const buffers: ArrayBuffer[] = [];
  /** The same array under a wider type: the buffer of a body may be of either kind. */
  const known: readonly ArrayBufferLike[] = buffers;
  let current: ArrayBufferLike = lent ?? new ArrayBuffer(0);
  let used = 0;
  return {
    allocate: (sizeBytes) => {
      if (used + sizeBytes > current.byteLength) {
        // Node leaves this memory uninitialized, whereas a new ArrayBuffer would be zeroed first.
        const own = Buffer.allocUnsafeSlow(Math.max(LEAST_BYTES, sizeBytes, expectedBytes)).buffer;
        buffers.push(own);
        current = own;
        used = 0;
      }
      const body = Buffer.from(current, used, sizeBytes);
      used += sizeBytes;
      return body;
    },
    placeOf: ({ buffer, byteOffset }) => {
      if (buffer === lent) return { buffer: LENT, start: byteOffset };
      // Nearly always the newest buffer.
      const at = buffer === current ? buffers.length - 1 : known.indexOf(buffer);
      if (at < 0) throw new Error('a body lies outside of its batch’s memory');
      return { buffer: at, start: byteOffset };
    },
    finish: () => buffers,
  };
}
