import { expect, test } from 'vitest';
import { createHitRing, RING_INITIAL_WORDS } from '../../../src/processes/memory/hit-ring.js';

const CAPACITY = 2;
const ENTRIES_AT = 3;

test('moving entries never writes beyond the extended memory, even if another process grows the ring meanwhile', () => {
  const entries = RING_INITIAL_WORDS / 4;
  const words = new Int32Array(ENTRIES_AT + 4 * RING_INITIAL_WORDS);
  const extended: [number, number][] = [];
  const ring = createHitRing({
    words,
    headerAt: 0,
    entriesAt: ENTRIES_AT,
    extend: (fromWord, toWord) => extended.push([fromWord, toWord]),
    isHeld: () => true,
  });
  for (let entry = 0; entry < entries + 100; entry++) {
    if (ring.isFull()) ring.dropOldest();
    ring.push(1, entry);
  }
  const move = words.copyWithin.bind(words);
  const targets: number[] = [];
  words.copyWithin = (target, start, end) => {
    targets.push(target);
    words[CAPACITY] = 4 * entries;
    return move(target, start, end);
  };
  ring.grow();
  const room = ENTRIES_AT + 2 * RING_INITIAL_WORDS;
  expect(extended).toEqual([[ENTRIES_AT + RING_INITIAL_WORDS, room]]);
  expect(targets).toHaveLength(100);
  expect(Math.max(...targets)).toBeLessThan(room);
});
