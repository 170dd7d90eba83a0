import { contentHash } from '../../format/checksum.js';

/** A table of API keys in shared memory, with a slot for each, found by a hash of its id. To be used with the lock held. */
export interface KeySlots {
  /** The key's slot, or a new one if it has none; undefined if all slots are in use. */
  slotOf(id: string): number | undefined;
  /** The key's requests in the current window. A slot whose count is 0 may be given to another key. */
  count(slot: number): number;
  setCount(slot: number, count: number): void;
  /** The sequence numbers of the key's oldest and newest entries; meaningless while its count is 0. */
  first(slot: number): number;
  setFirst(slot: number, sequence: number): void;
  last(slot: number): number;
  setLast(slot: number, sequence: number): void;
  clearCounts(): void;
}

/**
 * How many keys can be active in one window: 8 MiB of slots. 100,000 keys leave most slots unused, so that a search looks at
 * one or two; once every slot has been used, the search for a new key looks at all of them.
 */
export const SLOTS = 1 << 18;
const SLOT_WORDS = 8;
export const SLOTS_WORDS = SLOTS * SLOT_WORDS;
/** The words of a slot: first the key's hash, whose first word is never 0 once the slot is used; then the others below. */
const HASH_WORDS = 4;
const COUNT = 4;
const FIRST = 5;
const LAST = 6;

interface Known {
  readonly hash: Int32Array;
  /** The slot in which the key was found last. */
  slot: number;
}

/**
 * An open-addressing hash table. A slot that was ever used stays marked as used, for whichever key: a search ends only at a
 * slot that was never used, and so finds every key although no entry is ever moved.
 */
export function createKeySlots(words: Int32Array, offset: number): KeySlots {
  // Bounded by the number of keys that the operator has issued.
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
  /** Writes the first word last, which marks the slot as used: if this process is killed before, that mark is as it was. */
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
