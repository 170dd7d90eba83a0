/** A queue of the counted requests of all keys, oldest first, in shared memory. To be used with the lock held. */
export interface HitRing {
  /** The sequence numbers of the oldest entry and of the next to be added; equal if the ring is empty. They wrap around. */
  head(): number;
  tail(): number;
  isFull(): boolean;
  /** Whether the number of entries is possible; if not, head and tail do not belong together. */
  isSound(): boolean;
  slot(sequence: number): number;
  tick(sequence: number): number;
  /** How many requests of the entry's key came in the entry's millisecond. */
  requests(sequence: number): number;
  setRequests(sequence: number, requests: number): void;
  /** The sequence number of the same key's next entry; meaningless in its newest. */
  next(sequence: number): number;
  setNext(sequence: number, next: number): void;
  /** Adds an entry for one request behind the newest. */
  push(slot: number, tick: number): void;
  dropOldest(): void;
  /** Doubles a full ring; false if another process has taken the lock over meanwhile. Throws if there is no more memory. */
  grow(): boolean;
}

export interface HitRingOptions {
  readonly words: Int32Array;
  /** The words at which the ring's header (head, tail, capacity) and its entries begin. */
  readonly headerAt: number;
  readonly entriesAt: number;
  /** Makes the memory from one word to another usable. Throws if it cannot. */
  readonly extend: (fromWord: number, toWord: number) => void;
  /** Whether this process still holds the lock: extending the memory is the step that takes longest. */
  readonly isHeld: () => boolean;
}

const ENTRY_WORDS = 4;
/** A power of two, as every later capacity is. */
const INITIAL_ENTRIES = 1 << 12;
/** 256 MiB; each entry stands for one key in one millisecond. */
const MOST_ENTRIES = 1 << 24;
/** The words that the entries take, at the start and at most. */
export const RING_INITIAL_WORDS = INITIAL_ENTRIES * ENTRY_WORDS;
export const RING_MOST_WORDS = MOST_ENTRIES * ENTRY_WORDS;

/**
 * One queue over all keys, so that the next entry to leave the window is always at its head; the entries of each key are
 * linked. An entry counts from the moment the tail moves past it until the head does, so a process that is killed while it
 * writes an entry has not counted it.
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
      if (entries === MOST_ENTRIES) throw new Error(`there are ${MOST_ENTRIES} entries, which is the limit`);
      const end = entriesAt + entries * ENTRY_WORDS;
      extend(end, end + entries * ENTRY_WORDS);
      // A process that has taken the lock over does its own growing; this attempt must not change the ring any more.
      if (!isHeld() || capacity() !== entries) return false;
      moveUp(entries);
      words[CAPACITY] = entries * 2;
      return true;
    },
  };

  /**
   * Copies those entries of a full ring that have another position at twice the capacity. Nothing is overwritten, so a
   * process that is killed here has changed nothing. Head and capacity are read once: if another process takes over
   * meanwhile, a copy that goes on late still writes nothing beyond the memory that it was meant for.
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
