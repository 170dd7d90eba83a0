import { LRUCache } from 'lru-cache';
import { type ByteText, bytesOf } from '../../core/byte-text.js';
import type { Client } from '../../pool/request.js';
import { type Answer, lastingAnswer } from '../answer.js';
import type { CompressedBodies, Encoding } from '../sending/compression.js';
import { createAwaited, type Pending } from './awaited.js';
import { createNewcomers } from './newcomers.js';
import { type RequestName, spellOut } from './request-name.js';

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
   * The answer of that name: held, being made for another request, or made now. Only 200s are held, and once there is no
   * room any more, only what was asked for before; what is thrown goes to everyone who waits for it and is not held. `make`
   * is told of a client that is gone when all of them are.
   */
  answer(name: RequestName, make: Make, client?: Client): Answer | Promise<Answer>;
  stats(): CacheStats;
}

export type Make = (client: Client) => Answer | Promise<Answer>;

export interface ResponseCacheOptions {
  /** Answers held; 0 holds none. */
  readonly maxEntries: number;
  /** Bytes of their bodies, compressed forms included. */
  readonly maxBytes: number;
  /** The live generation's name. */
  readonly generation: () => string | undefined;
  /** What answers now: another object whenever something is taken live, be it the same generation with its files made anew. */
  readonly live: () => object | undefined;
}

interface Entry {
  /** Route, and input as a text. Compared on a hit: a crafted collision of tags would be another tract's answer. */
  readonly route: RequestName['route'];
  readonly input: string;
  readonly answer: Answer;
  readonly sizeBytes: number;
}

const ALWAYS_THERE: Client = { gone: () => false };

/** Of hits and misses, 0 to 1, four decimals; 0 before the first. */
export function hitRate({ hits, misses }: Pick<CacheStats, 'hits' | 'misses'>): number {
  return hits === 0 ? 0 : Math.round((hits / (hits + misses)) * 1e4) / 1e4;
}

/** At most so many requests are remembered for which there was no room: 4 MiB. */
const NEWCOMERS_MAX = 2 ** 20;
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
  const newcomers = createNewcomers(Math.min(2 * maxEntries, NEWCOMERS_MAX));
  const enabled = maxEntries > 0 && maxBytes > 0;
  const awaited = createAwaited();
  let live: object | undefined;
  let hits = 0;
  let misses = 0;

  return {
    answer: (name, make, client = ALWAYS_THERE) => {
      if (!enabled) return make(client);
      const liveThen = options.live();
      follow(liveThen);
      const found = findOrJoin(name, client);
      if (found) {
        hits++;
        return found;
      }
      misses++;
      const clients = [client];
      const answer = make({ gone: () => clients.every(({ gone }) => gone()) });
      return answer instanceof Promise ? wait(name, answer, clients, liveThen) : keep(name, answer, liveThen);
    },
    stats: () => ({
      hits,
      misses,
      hit_rate: hitRate({ hits, misses }),
      size: held.size,
      max_size: maxEntries,
    }),
  };

  /** What was answered before is of no use any more. */
  function follow(current: object | undefined): void {
    if (current === live) return;
    live = current;
    held.clear();
    awaited.clear();
  }

  /** The answer, or the one that others wait for: then this client waits with them. */
  function findOrJoin(name: RequestName, client: Client): Answer | Promise<Answer> | undefined {
    const entry = held.get(name.tag);
    if (entry) return entry.route === name.route && entry.input === spellOut(name) ? entry.answer : undefined;
    const pending = awaited.find(name);
    pending?.clients.push(client);
    return pending?.answer;
  }

  function wait(
    name: RequestName,
    made: Promise<Answer>,
    clients: Client[],
    liveThen: object | undefined,
  ): Promise<Answer> {
    const answer = made.then(
      (finished) => {
        // First: whether the answer is shared is decided now, so nobody may join those who wait any more.
        awaited.remove(pending);
        return keep(name, clients.length > 1 ? owned(finished) : finished, liveThen);
      },
      (error) => {
        awaited.remove(pending);
        throw error;
      },
    );
    const pending: Pending = { name, answer, clients };
    awaited.add(pending);
    return answer;
  }

  /** `liveThen`: what was live when it was asked for. */
  function keep(name: RequestName, answer: Answer, liveThen: object | undefined): Answer {
    const { status, body } = answer;
    const isOfLive = name.generation === options.generation() && liveThen === options.live();
    if (status !== 200 || body === undefined || !isOfLive) return answer;
    const leastBytes = OVERHEAD_BYTES + body.length;
    const full = held.size >= maxEntries || held.calculatedSize + leastBytes > maxBytes;
    if (full && !newcomers.cameBefore(name.tag)) return answer;
    const { tag, route } = name;
    const input = spellOut(name);
    const sizeBytes = leastBytes + input.length;
    const own = inOwnMemory(body);
    answer.release?.();
    const compressed = new HeldForms(tag, grow);
    held.set(tag, { route, input, answer: lastingAnswer(answer, own, { compressed }), sizeBytes });
    // Its times are those of the requests that waited for it, not of those that find it here later.
    return lastingAnswer(answer, own, { compressed, times: answer.times });
  }

  function grow(forms: HeldForms, bytes: number): boolean {
    const entry = held.peek(forms.tag);
    if (entry?.answer.compressed !== forms) return false;
    const { route, input, answer, sizeBytes } = entry;
    held.set(forms.tag, { route, input, answer, sizeBytes: sizeBytes + bytes });
    return true;
  }
}

/** Compressed forms of a held answer. A class: as closures, each answer that is held would hold seven objects for them. */
class HeldForms implements CompressedBodies {
  /** Most answers are never asked for in a compressed form. */
  private forms: Map<Encoding, Uint8Array> | undefined = undefined;

  constructor(
    readonly tag: string,
    /** Counts bytes with the answer; false where that is not held any more. */
    private readonly grow: (forms: HeldForms, bytes: number) => boolean,
  ) {}

  get(encoding: Encoding): Uint8Array | undefined {
    return this.forms?.get(encoding);
  }

  set(encoding: Encoding, body: Uint8Array): void {
    const before = this.get(encoding)?.byteLength ?? 0;
    if (!this.grow(this, body.byteLength - before)) return;
    this.forms ??= new Map();
    this.forms.set(encoding, body);
  }
}

/** An answer whose body is on loan can be sent once. This one can be sent to many. */
function owned(answer: Answer): Answer {
  const { body, release, times } = answer;
  if (!release || body === undefined) return answer;
  const own = inOwnMemory(body);
  release();
  return lastingAnswer(answer, own, { times });
}

/** A body of a batch lies in the memory of all of them, which must not be held for it. */
function inOwnMemory(body: Uint8Array | ByteText): Uint8Array {
  // Not among V8's objects, which it goes through again and again.
  if (typeof body === 'string') return bytesOf(body);
  const { buffer, byteLength } = body;
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) return body;
  const own = Buffer.allocUnsafeSlow(body.byteLength);
  own.set(body);
  return own;
}
