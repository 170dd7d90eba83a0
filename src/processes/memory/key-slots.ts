import { contentHash } from '../../format/checksum.js';

/** Places of keys in shared memory, found by a hash of the key's id. To be used with the lock held. */
export interface KeySlots {
  /** The key's place; a new one where it has none; undefined where all are in use. */
  slotOf(id: string): number | undefined;
  /** Requests of a key in its window. A place without any is free for another key. */
  count(slot: number): number;
  setCount(slot: number, count: number): void;
  /** The sequence numbers of a key's oldest and newest entry, while its count is not 0. */
  first(slot: number): number;
  setFirst(slot: number, sequence: number): void;
  last(slot: number): number;
  setLast(slot: number, sequence: number): void;
  clearCounts(): void;
}

/**
 * Keys that can be active in one window: 8 MiB of places. 100,000 keys leave most of them unused, so that a search
 * looks at one or two; once all were used, it looks at all of them.
 */
export const SLOTS = 1 << 18;
const SLOT_WORDS = 8;
export const SLOTS_WORDS = SLOTS * SLOT_WORDS;
/** Words of a slot: four of the key's hash, the first never 0 once it is used; then these. */
const HASH_WORDS = 4;
const COUNT = 4;
const FIRST = 5;
const LAST = 6;

interface Known {
  readonly hash: Int32Array;
  /** Where it was last. */
  slot: number;
}

/**
 * An open-addressed table. A place that was ever used stays so, for whichever key: searches end only at places never used,
 * and thus find every key, without anything being moved.
 */
export function createKeySlots(words: Int32Array, offset: number): KeySlots {
  // Keys are as many as the operator gave out.
  const known = new Map<string, Known>();
  const at = (slot: number, word: number): number => words[offset + slot * SLOT_WORDS + word] ?? 0;
  const put = (slot: number, word: number, value: number): void => {
    words[offset + slot * SLOT_WORDS + word] = value;
  };
  const holds = (slot: number, hash: Int32Array): boolean => {
    for (let word = 0; word < HASH_WORDS; word++) if (at(slot, word) !== hash[word]) return false;
    return true;
  };
  const search = (hash: Int32Array): number | undefined => {
    let free: number | undefined;
    for (let step = 0; step < SLOTS; step++) {
      const slot = ((hash[1] ?? 0) + step) & (SLOTS - 1);
      if (holds(slot, hash)) return slot;
      if (at(slot, COUNT) === 0) free ??= slot;
      if (at(slot, 0) === 0) break;
    }
    if (free !== undefined) claim(free, hash);
    return free;
  };
  /** The first word last: a slot is used from then on, even where this process is killed in between. */
  const claim = (slot: number, hash: Int32Array): void => {
    for (let word = HASH_WORDS - 1; word >= 0; word--) put(slot, word, hash[word] ?? 0);
  };
  return {
    slotOf: (id) => {
      let key = known.get(id);
      if (!key) {
        key = { hash: hashOf(id), slot: 0 };
        known.set(id, key);
      }
      if (holds(key.slot, key.hash)) return key.slot;
      const slot = search(key.hash);
      if (slot !== undefined) key.slot = slot;
      return slot;
    },
    count: (slot) => at(slot, COUNT),
    setCount: (slot, count) => put(slot, COUNT, count),
    first: (slot) => at(slot, FIRST),
    setFirst: (slot, sequence) => put(slot, FIRST, sequence),
    last: (slot) => at(slot, LAST),
    setLast: (slot, sequence) => put(slot, LAST, sequence),
    clearCounts: () => {
      for (let slot = 0; slot < SLOTS; slot++) put(slot, COUNT, 0);
    },
  };
}

function hashOf(id: string): Int32Array {
  const bytes = Buffer.from(contentHash(Buffer.from(id)), 'hex');
  const hash = Int32Array.from({ length: HASH_WORDS }, (_, word) => bytes.readInt32LE(word * 4));
  hash[0] = (hash[0] ?? 0) | 1;
  return hash;
}
