import { LRUCache } from 'lru-cache';
import type { Answer } from './answer.js';
import type { CompressedBodies } from './compression.js';

/** What an answer depends on. */
export interface RequestName {
  readonly generation: string;
  /** Route and parsed parameters, in one canonical text. */
  readonly parameters: string;
  /** 128 bits over both: the name that is looked up. */
  readonly digest: string;
}

export interface CacheStats {
  readonly hits: number;
  readonly misses: number;
  /** Of hits and misses, 0 to 1, four decimals; 0 before the first. */
  readonly hit_rate: number;
  /** Answers held. */
  readonly size: number;
  readonly max_size: number;
}

/** Finished answers of one generation. */
export interface ResponseCache {
  /**
   * The answer of that name: held, being made for another request, or made now. Only 200s are held; what is thrown goes to
   * everyone who waits for it and is not held.
   */
  answer(name: RequestName, make: () => Answer | Promise<Answer>): Answer | Promise<Answer>;
  stats(): CacheStats;
}

export interface ResponseCacheOptions {
  /** Answers held; 0 holds none. */
  readonly maxEntries: number;
  /** Bytes of their bodies, compressed forms included. */
  readonly maxBytes: number;
  /** The live generation's name. */
  readonly generation: () => string | undefined;
}

interface Entry {
  /** Compared on a hit: a crafted collision of digests would be another tract's answer. */
  readonly parameters: string;
  readonly answer: Answer;
  readonly sizeBytes: number;
}

interface Pending {
  readonly parameters: string;
  readonly answer: Promise<Answer>;
}

/** What an entry costs beside its body, about. */
const OVERHEAD_BYTES = 512;

export function createResponseCache(options: ResponseCacheOptions): ResponseCache {
  const { maxEntries, maxBytes } = options;
  // The package has no cache of no entries: its smallest one is never written to.
  const held = new LRUCache<string, Entry>({
    max: Math.max(1, maxEntries),
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: ({ sizeBytes }) => sizeBytes,
  });
  const enabled = maxEntries > 0 && maxBytes > 0;
  const pending = new Map<string, Pending>();
  let generation: string | undefined;
  let hits = 0;
  let misses = 0;

  return {
    answer: (name, make) => {
      if (!enabled) return make();
      follow(options.generation());
      const found = find(name);
      if (found) {
        hits++;
        return found;
      }
      misses++;
      const answer = make();
      return answer instanceof Promise ? wait(name, answer) : keep(name, answer);
    },
    stats: () => ({
      hits,
      misses,
      hit_rate: hits === 0 ? 0 : Math.round((hits / (hits + misses)) * 1e4) / 1e4,
      size: held.size,
      max_size: maxEntries,
    }),
  };

  /** What another generation answered is of no use any more. */
  function follow(current: string | undefined): void {
    if (current === generation) return;
    generation = current;
    held.clear();
    pending.clear();
  }

  function find({ digest, parameters }: RequestName): Answer | Promise<Answer> | undefined {
    const entry = held.get(digest) ?? pending.get(digest);
    return entry?.parameters === parameters ? entry.answer : undefined;
  }

  function wait(name: RequestName, made: Promise<Answer>): Promise<Answer> {
    const { digest, parameters } = name;
    const answer = made
      .then((finished) => keep(name, finished))
      .finally(() => {
        if (pending.get(digest)?.answer === answer) pending.delete(digest);
      });
    pending.set(digest, { parameters, answer });
    return answer;
  }

  function keep(name: RequestName, answer: Answer): Answer {
    if (answer.status !== 200 || answer.body === undefined || name.generation !== options.generation()) return answer;
    const sizeBytes = OVERHEAD_BYTES + name.parameters.length + Buffer.byteLength(answer.body);
    const compressed = compressedBodies(name, () => entry);
    const entry: Entry = { parameters: name.parameters, answer: { ...answer, compressed }, sizeBytes };
    held.set(name.digest, entry);
    return entry.answer;
  }

  /** Holds compressed forms as long as their answer, and counts their bytes with it. */
  function compressedBodies({ digest }: RequestName, entryOf: () => Entry): CompressedBodies {
    const bodies = new Map<string, Uint8Array>();
    return {
      get: (encoding) => bodies.get(encoding),
      set: (encoding, body) => {
        const entry = entryOf();
        if (held.peek(digest)?.answer !== entry.answer) return;
        bodies.set(encoding, body);
        let sizeBytes = entry.sizeBytes;
        for (const { byteLength } of bodies.values()) sizeBytes += byteLength;
        held.set(digest, { ...entry, sizeBytes });
      },
    };
  }
}
