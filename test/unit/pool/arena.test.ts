import { describe, expect, test } from 'vitest';
import { createArena } from '../../../src/pool/arena.js';
import { LENT } from '../../../src/pool/protocol.js';

describe('an arena', () => {
  test('lays bodies side by side in one buffer of the expected size', () => {
    const arena = createArena(10_000);
    const bodies = [3000, 0, 7000].map((size) => arena.allocate(size));
    expect(bodies.map(arena.placeOf)).toEqual([
      { buffer: 0, start: 0 },
      { buffer: 0, start: 3000 },
      { buffer: 0, start: 3000 },
    ]);
    expect(arena.finish().map(({ byteLength }) => byteLength)).toEqual([10_000]);
  });

  test('allocates another buffer when the expected size is exceeded, large enough for even a huge body', () => {
    const arena = createArena(5000);
    const bodies = [4000, 2000, 90_000].map((size) => arena.allocate(size));
    expect(bodies.map((body) => arena.placeOf(body).buffer)).toEqual([0, 1, 2]);
    expect(arena.finish().map(({ byteLength }) => byteLength)).toEqual([5000, 5000, 90_000]);
  });

  test('refuses a body that it did not allocate', () => {
    const arena = createArena(10);
    arena.allocate(1);
    expect(() => arena.placeOf(Buffer.alloc(1))).toThrow('outside');
  });

  test('fills lent memory first, and allocates a buffer for what does not fit', () => {
    const arena = createArena(100, new SharedArrayBuffer(10_000));
    const bodies = [4000, 6000, 5000].map((size) => arena.allocate(size));
    expect(bodies.map(arena.placeOf)).toEqual([
      { buffer: LENT, start: 0 },
      { buffer: LENT, start: 4000 },
      { buffer: 0, start: 0 },
    ]);
    expect(arena.finish().map(({ byteLength }) => byteLength)).toEqual([5000]);
  });
});
