import type { Hit, HitStore } from '../../tallies/hit-store.js';
import { createHitRing, RING_INITIAL_WORDS, RING_MOST_WORDS } from './hit-ring.js';
import { createKeySlots, SLOTS_WORDS } from './key-slots.js';
import { createProcessLock } from './process-lock.js';

const LOCK = 0;
const ACTIVE = 1;
const RING_HEADER = 2;
/** The tick at which the ring could not grow; 0 if it could. */
const NO_GROWTH = 5;
const SLOTS_AT = 16;
const ENTRIES_AT = SLOTS_AT + SLOTS_WORDS;
const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT;

/** The bytes that the hits need at the start, all zeros, and at most. */
export const HITS_INITIAL_BYTES = (ENTRIES_AT + RING_INITIAL_WORDS) * WORD_BYTES;
export const HITS_MOST_BYTES = (ENTRIES_AT + RING_MOST_WORDS) * WORD_BYTES;

/**
 * How long after a failure the ring tries again to grow. To fail can take as long as thousands of hits, and all processes wait
 * meanwhile.
 */
const GROW_AGAIN_MS = 60_000;

export interface SharedHitsOptions {
  readonly words: Int32Array;
  /** Makes the memory from one byte of `words` to another usable. Throws if it cannot. */
  readonly extend: (fromByte: number, toByte: number) => void;
  /**
   * Told of a failure to extend the memory, in one of the processes, and then for as long as it lasts about once a minute:
   * requests are refused until older ones have left the window.
   */
  readonly onNoRoom?: ((error: unknown) => void) | undefined;
  readonly windowSeconds: number;
  /** A monotonic clock that all processes share, milliseconds. */
  readonly now: () => number;
  /** How long a process may take for a hit before another takes the lock over; the lock's default if not given. */
  readonly patienceMs?: number;
}

/**
 * The counted requests of all keys, in memory that the processes share, so that a limit is exact whichever process is
 * asked: one process at a time checks and counts. Times are whole milliseconds, rounded so that a request never leaves the
 * window too early, and at most one millisecond late. If there is no room for more, requests are refused: a limit is never
 * exceeded.
 *
 * A process that was stopped in the middle of a hit, and goes on after another has taken the lock over, may write outdated
 * values. When it notices, it clears the memory, and all windows begin anew: a key may be granted its limit once more, and
 * no other damage remains.
 *
 * A hit is amortized O(1), and takes as long as in the store of a single process: 0.1 to 0.3 µs for either.
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
    isHeld,
  });
  /** Why there is no room; told once the lock is released. */
  let noRoom: unknown;
  const lock = createProcessLock({ words, at: LOCK, repair, startOver, patienceMs });

  return {
    windowMs,
    hit: (id, limit) => {
      lock.acquire();
      try {
        // Read with the lock held, so that entries are in the order of their times.
        const nowMs = now();
        expire(nowMs);
        return hit(id, limit, nowMs);
      } finally {
        lock.release();
        tellOfNoRoom();
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

  function isHeld(): boolean {
    return lock.isOwn();
  }

  function tellOfNoRoom(): void {
    if (noRoom === undefined) return;
    options.onNoRoom?.(noRoom);
    noRoom = undefined;
  }

  /** Milliseconds since a tick; ticks are the low 32 bits of a time. */
  function ageMs(tick: number, nowMs: number): number {
    return ((Math.floor(nowMs) | 0) - tick) | 0;
  }

  function expire(nowMs: number): void {
    // Corrupted by a process that lost the lock, went on all the same, and is about to start over.
    if (!ring.isSound()) startOver();
    while (ring.head() !== ring.tail()) {
      const age = ageMs(ring.tick(ring.head()), nowMs);
      // Rounding makes ages down to -1. A lower one has overflowed: for more than 24 days no request came.
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
    if (slot === undefined) return { refused: true, count: 0, awaitedAgeMs: 0 };
    const refused = slots.count(slot) >= limit || !add(slot, Math.ceil(nowMs) | 0);
    const count = slots.count(slot);
    const awaited = count > limit ? slots.last(slot) : slots.first(slot);
    const awaitedAgeMs = count === 0 ? 0 : Math.max(0, ageMs(ring.tick(awaited), nowMs));
    return { refused, count, awaitedAgeMs };
  }

  /** Counts a request; false if there is no room for it. */
  function add(slot: number, tick: number): boolean {
    const last = slots.last(slot);
    if (slots.count(slot) > 0 && ring.tick(last) === tick) ring.setRequests(last, ring.requests(last) + 1);
    else if (ring.isFull() && !grow(tick)) return false;
    else {
      const added = ring.tail();
      ring.push(slot, tick);
      chain(slot, added);
    }
    slots.setCount(slot, slots.count(slot) + 1);
    return true;
  }

  /** Makes room for more entries; false if there is none, or if another process has taken the lock over meanwhile. */
  function grow(tick: number): boolean {
    const failedAt = words[NO_GROWTH] ?? 0;
    const age = (tick - failedAt) | 0;
    if (failedAt !== 0 && age >= 0 && age < GROW_AGAIN_MS) return false;
    try {
      if (!ring.grow()) return false;
      words[NO_GROWTH] = 0;
      return true;
    } catch (error) {
      if (isHeld()) words[NO_GROWTH] = tick || 1;
      noRoom = error;
      return false;
    }
  }

  /** Links an entry as its key's newest. The key's count must not include it yet. */
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

  /** Rebuilds counts and links from the entries, which are authoritative. */
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
