import type { Hit, HitStore } from '../../tallies/hit-store.js';
import { createHitRing, RING_INITIAL_WORDS, RING_MOST_WORDS } from './hit-ring.js';
import { createKeySlots, SLOTS_WORDS } from './key-slots.js';
import { createProcessLock } from './process-lock.js';

const LOCK = 0;
const ACTIVE = 1;
const RING_HEADER = 2;
const SLOTS_AT = 16;
const ENTRIES_AT = SLOTS_AT + SLOTS_WORDS;
const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT;

/** Bytes that the hits need at the start, zeros, and that they may grow to. */
export const HITS_INITIAL_BYTES = (ENTRIES_AT + RING_INITIAL_WORDS) * WORD_BYTES;
export const HITS_MOST_BYTES = (ENTRIES_AT + RING_MOST_WORDS) * WORD_BYTES;

export interface SharedHitsOptions {
  readonly words: Int32Array;
  /** Makes the memory from one byte of the words to another usable. Throws where it cannot. */
  readonly extend: (fromByte: number, toByte: number) => void;
  readonly windowSeconds: number;
  /** A clock that all processes share and that never goes back, milliseconds. */
  readonly now: () => number;
  /** How long a process may take for a hit before another takes over; the lock's own unless told. */
  readonly patienceMs?: number;
}

/**
 * The counted requests of all keys in memory that processes share, so that a limit is exact whichever process is asked:
 * one of them at a time looks and counts. Times are whole milliseconds, rounded so that a request never leaves the
 * window too early, and up to one millisecond late. Where there is no room for more, requests are refused: a limit is
 * never exceeded.
 *
 * A process that was stopped in the middle of a hit, and goes on after others have taken over, may write what is out of
 * date. It then empties the memory, and all windows begin anew: a key may be granted its limit once more, and nothing
 * worse stays.
 *
 * A hit is O(1), amortized, and takes as long as in the store of a single process: 0.1 to 0.3 µs for either.
 */
export function createSharedHits(options: SharedHitsOptions): HitStore {
  const { words, now, patienceMs } = options;
  const windowMs = options.windowSeconds * 1000;
  const slots = createKeySlots(words, SLOTS_AT);
  const ring = createHitRing({
    words,
    headerAt: RING_HEADER,
    entriesAt: ENTRIES_AT,
    extend: (fromWord, toWord) => options.extend(fromWord * WORD_BYTES, toWord * WORD_BYTES),
    isHeld: () => lock.isOwn(),
  });
  const lock = createProcessLock({ words, at: LOCK, repair, startOver, patienceMs });

  return {
    windowMs,
    hit: (id, limit) => {
      lock.acquire();
      try {
        // The clock is read with the lock held: entries are in the order of their times.
        const nowMs = now();
        expire(nowMs);
        return hit(id, limit, nowMs);
      } finally {
        lock.release();
      }
    },
    activeKeys: () => {
      lock.acquire();
      try {
        expire(now());
        return words[ACTIVE] ?? 0;
      } finally {
        lock.release();
      }
    },
  };

  /** Milliseconds since a tick; ticks are the low 32 bits of a time. */
  function ageMs(tick: number, nowMs: number): number {
    return ((Math.floor(nowMs) | 0) - tick) | 0;
  }

  function expire(nowMs: number): void {
    // Written by one that went on and is about to start over.
    if (!ring.isSound()) startOver();
    while (ring.head() !== ring.tail()) {
      const age = ageMs(ring.tick(ring.head()), nowMs);
      // Less than -1, which rounding makes, is an age beyond 24 days, when nobody asked.
      if (age < windowMs && age >= -1) return;
      forgetOldest();
    }
  }

  function forgetOldest(): void {
    const oldest = ring.head();
    const slot = ring.slot(oldest);
    const left = slots.count(slot) - ring.requests(oldest);
    slots.setCount(slot, left);
    if (left > 0) slots.setFirst(slot, ring.next(oldest));
    else words[ACTIVE] = (words[ACTIVE] ?? 0) - 1;
    ring.dropOldest();
  }

  function hit(id: string, limit: number, nowMs: number): Hit {
    const slot = slots.slotOf(id);
    if (slot === undefined) return { refused: true, count: limit, oldestAgeMs: 0 };
    const refused = slots.count(slot) >= limit || !add(slot, Math.ceil(nowMs) | 0);
    const count = slots.count(slot);
    const oldestAgeMs = count === 0 ? 0 : Math.max(0, ageMs(ring.tick(slots.first(slot)), nowMs));
    return { refused, count, oldestAgeMs };
  }

  /** Counts a request; false where there is no room for it. */
  function add(slot: number, tick: number): boolean {
    const last = slots.last(slot);
    if (slots.count(slot) > 0 && ring.tick(last) === tick) ring.setRequests(last, ring.requests(last) + 1);
    else if (ring.isFull() && !ring.grow()) return false;
    else {
      const added = ring.tail();
      ring.push(slot, tick);
      chain(slot, added);
    }
    slots.setCount(slot, slots.count(slot) + 1);
    return true;
  }

  /** Makes an entry its key's newest; the key's count is still without it. */
  function chain(slot: number, sequence: number): void {
    if (slots.count(slot) > 0) ring.setNext(slots.last(slot), sequence);
    else {
      slots.setFirst(slot, sequence);
      words[ACTIVE] = (words[ACTIVE] ?? 0) + 1;
    }
    slots.setLast(slot, sequence);
  }

  function startOver(): void {
    words.fill(0, LOCK + 1, ENTRIES_AT);
  }

  /** The entries are the truth; all else follows from them. */
  function repair(): void {
    if (!ring.isSound()) startOver();
    slots.clearCounts();
    words[ACTIVE] = 0;
    for (let sequence = ring.head(); sequence !== ring.tail(); sequence = (sequence + 1) | 0) {
      const slot = ring.slot(sequence);
      chain(slot, sequence);
      slots.setCount(slot, slots.count(slot) + ring.requests(sequence));
    }
  }
}
