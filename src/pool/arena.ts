import type { Allocate } from '../query/body-writer.js';
import { LENT } from './protocol.js';

/** Where an arena put something: the position of its buffer or {@link LENT}, and the first byte in it. */
export interface ArenaPlace {
  readonly buffer: number;
  readonly start: number;
}

/** Memory for the bodies of one batch, so that they are handed to another thread as one piece. */
export interface Arena {
  /** Room for a body. */
  readonly allocate: Allocate;
  /** Where a body that {@link allocate} made room for lies. */
  placeOf(body: Uint8Array): ArenaPlace;
  /** All of the memory but what was lent; nothing may be allocated afterwards. */
  finish(): ArrayBuffer[];
}

/** The least size of a buffer: a batch of small answers needs no second one. */
const LEAST_BYTES = 4096;

/**
 * An arena that expects to need so many bytes in all; where they do not suffice, it takes more. What is lent is used
 * first.
 */
export function createArena(expectedBytes: number, lent?: SharedArrayBuffer): Arena {
  const buffers: ArrayBuffer[] = [];
  /** The same: a body may lie in memory of any kind. */
  const known: readonly ArrayBufferLike[] = buffers;
  let current: ArrayBufferLike = lent ?? new ArrayBuffer(0);
  let used = 0;
  return {
    allocate: (sizeBytes) => {
      if (used + sizeBytes > current.byteLength) {
        // Node leaves this memory as it was, where a new ArrayBuffer would be filled with zeros first.
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
      // Nearly always the newest.
      const at = buffer === current ? buffers.length - 1 : known.indexOf(buffer);
      if (at < 0) throw new Error('a body lies outside of its batch’s memory');
      return { buffer: at, start: byteOffset };
    },
    finish: () => buffers,
  };
}
