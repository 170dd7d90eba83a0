/** The counted requests of all keys, oldest first, in shared memory. To be used with the lock held. */
export interface HitRing {
  /** Sequence numbers of the oldest entry and of the next one to be added; alike where there is none. They wrap around. */
  head(): number;
  tail(): number;
  isFull(): boolean;
  /** Whether there are as many entries as there can be: else its numbers do not belong together. */
  isSound(): boolean;
  slot(sequence: number): number;
  tick(sequence: number): number;
  /** Requests of that key in that millisecond. */
  requests(sequence: number): number;
  setRequests(sequence: number, requests: number): void;
  /** The same key's next entry; without meaning in its newest. */
  next(sequence: number): number;
  setNext(sequence: number, next: number): void;
  /** Adds an entry of one request, behind the newest. */
  push(slot: number, tick: number): void;
  dropOldest(): void;
  /** Doubles the room of a full ring; false where there is no more, or where another process has taken over meanwhile. */
  grow(): boolean;
}

export interface HitRingOptions {
  readonly words: Int32Array;
  /** Where the ring's own numbers are, and where its entries are. */
  readonly headerAt: number;
  readonly entriesAt: number;
  /** Makes the memory up to this word usable. Throws where it cannot. */
  readonly extend: (fromWord: number, toWord: number) => void;
  /** Whether the lock is still held, of which more memory takes the longest. */
  readonly isHeld: () => boolean;
}

const ENTRY_WORDS = 4;
/** A power of two, as it stays. */
const INITIAL_ENTRIES = 1 << 12;
/** 256 MiB: a key and millisecond each. */
const MOST_ENTRIES = 1 << 24;
/** Words of the entries, at the start and at most. */
export const RING_INITIAL_WORDS = INITIAL_ENTRIES * ENTRY_WORDS;
export const RING_MOST_WORDS = MOST_ENTRIES * ENTRY_WORDS;

/**
 * A queue over all keys, so that what leaves the window is always at its head; the entries of one key are chained. An entry
 * counts from the moment that the tail passes it until the head does: whoever is killed in between has not counted it.
 */
export function createHitRing({ words, headerAt, entriesAt, extend, isHeld }: HitRingOptions): HitRing {
  const [HEAD, TAIL, CAPACITY] = [headerAt, headerAt + 1, headerAt + 2];
  const read = (at: number): number => words[at] ?? 0;
  const capacity = (): number => read(CAPACITY) || INITIAL_ENTRIES;
  const at = (sequence: number, word: number): number => entriesAt + (sequence & (capacity() - 1)) * ENTRY_WORDS + word;
  const size = (): number => (read(TAIL) - read(HEAD)) | 0;

  return {
    head: () => read(HEAD),
    tail: () => read(TAIL),
    isFull: () => size() === capacity(),
    isSound: () => size() >= 0 && size() <= capacity(),
    slot: (sequence) => read(at(sequence, 0)),
    tick: (sequence) => read(at(sequence, 1)),
    requests: (sequence) => read(at(sequence, 2)),
    setRequests: (sequence, requests) => {
      words[at(sequence, 2)] = requests;
    },
    next: (sequence) => read(at(sequence, 3)),
    setNext: (sequence, next) => {
      words[at(sequence, 3)] = next;
    },
    push: (slot, tick) => {
      const tail = read(TAIL);
      const entry = at(tail, 0);
      words[entry] = slot;
      words[entry + 1] = tick;
      words[entry + 2] = 1;
      words[TAIL] = tail + 1;
    },
    dropOldest: () => {
      words[HEAD] = read(HEAD) + 1;
    },
    grow: () => {
      const entries = capacity();
      if (entries === MOST_ENTRIES) return false;
      const end = entriesAt + entries * ENTRY_WORDS;
      try {
        extend(end, end + entries * ENTRY_WORDS);
      } catch {
        return false;
      }
      // Who has taken over has its own room, which this is none of.
      if (!isHeld() || capacity() !== entries) return false;
      moveUp(entries);
      words[CAPACITY] = entries * 2;
      return true;
    },
  };

  /**
   * Copies what of a full ring lies elsewhere in twice the room. Nothing is overwritten: a grower that is killed has
   * changed nothing. Head and capacity are read once: where another has taken over meanwhile, a copy that goes on late
   * still writes nothing behind its own room.
   */
  function moveUp(entries: number): void {
    const head = read(HEAD);
    for (let sequence = head; sequence !== ((head + entries) | 0); sequence = (sequence + 1) | 0) {
      if ((sequence & entries) === 0) continue;
      const from = entriesAt + (sequence & (entries - 1)) * ENTRY_WORDS;
      words.copyWithin(from + entries * ENTRY_WORDS, from, from + ENTRY_WORDS);
    }
  }
}
