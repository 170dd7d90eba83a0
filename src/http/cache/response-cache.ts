import { LRUCache } from 'lru-cache';
import { type ByteText, bytesOf } from '../../core/byte-text.js';
import { type Client, PoolError } from '../../pool/request.js';
import { type Answer, lastingAnswer } from '../answer.js';
import type { CompressedBodies, Encoding } from '../sending/compression.js';
import { createAwaited, type Pending } from './awaited.js';
import { createNewcomers } from './newcomers.js';
import { type RequestName, spellOut } from './request-name.js';

export interface CacheStats {
  readonly hits: number;
  readonly misses: number;
  /** The share of hits, 0 to 1, four decimals; 0 before the first request. */
  readonly hit_rate: number;
  /** The number of cached answers. */
  readonly size: number;
  readonly max_size: number;
}

/** Caches finished answers of the live generation. */
export interface ResponseCache {
  /**
   * The answer to a request: cached, being computed for an identical request, or computed now by `make`. Only 200s are
   * cached, and once the cache is full, only answers to repeated requests. An error goes to every client that waits for the
   * answer and is not cached. The client that `make` gets counts as gone once all waiting clients are gone.
   */
  answer(name: RequestName, make: Make, client?: Client): Answer | Promise<Answer>;
  stats(): CacheStats;
}

export type Make = (client: Client) => Answer | Promise<Answer>;

export interface ResponseCacheOptions {
  /** The most answers that are cached; 0 turns the cache off. */
  readonly maxEntries: number;
  /** The most bytes that they take, compressed forms included; 0 turns the cache off. */
  readonly maxBytes: number;
  /** The live generation's name. */
  readonly generation: () => string | undefined;
  /** The live dataset: a different object after every switch, even to the same generation with its files rebuilt. */
  readonly live: () => object | undefined;
}

interface Entry {
  /** Route and input are compared on a hit, since a crafted tag collision would otherwise return another tract's answer. */
  readonly route: RequestName['route'];
  readonly input: string;
  readonly answer: Answer;
  readonly sizeBytes: number;
}

const ALWAYS_THERE: Client = { gone: () => false };

/** The share of hits, 0 to 1, four decimals; 0 before the first request. */
export function hitRate({ hits, misses }: Pick<CacheStats, 'hits' | 'misses'>): number {
  return hits === 0 ? 0 : Math.round((hits / (hits + misses)) * 1e4) / 1e4;
}

/** The most uncached requests that are remembered, to recognize repetitions: 4 MiB. */
const NEWCOMERS_MAX = 2 ** 20;
/** The approximate size of an entry without its body and input. */
const OVERHEAD_BYTES = 512;

export function createResponseCache(options: ResponseCacheOptions): ResponseCache {
  const { maxEntries, maxBytes } = options;
  // LRUCache cannot have a maximum of zero entries; if the cache is off, this smallest one stays unused.
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
      return begin(name, make, [client], liveThen);
    },
    stats: () => ({
      hits,
      misses,
      hit_rate: hitRate({ hits, misses }),
      size: held.size,
      max_size: maxEntries,
    }),
  };

  /** Drops all answers once another dataset is live. */
  function follow(current: object | undefined): void {
    if (current === live) return;
    live = current;
    held.clear();
    awaited.clear();
  }

  /** The cached answer, or the pending one, for which this client then waits with the others. */
  function findOrJoin(name: RequestName, client: Client): Answer | Promise<Answer> | undefined {
    const entry = held.get(name.tag);
    if (entry) return entry.route === name.route && entry.input === spellOut(name) ? entry.answer : undefined;
    const pending = awaited.find(name);
    pending?.clients.push(client);
    return pending?.answer;
  }

  /** Has the answer made. While it is pending, identical requests add themselves to `clients`. */
  function begin(
    name: RequestName,
    make: Make,
    clients: Client[],
    liveThen: object | undefined,
  ): Answer | Promise<Answer> {
    const areGone = (): boolean => clients.every(({ gone }) => gone());
    const made = make({ gone: areGone });
    if (!(made instanceof Promise)) return keep(name, made, liveThen);
    const share = (finished: Answer): Answer => {
      // Must come first: no client may join any more once it is decided whether the answer is shared.
      awaited.remove(pending);
      return keep(name, clients.length > 1 ? owned(finished) : finished, liveThen);
    };
    const failOrRetry = (error: unknown): Answer | Promise<Answer> => {
      awaited.remove(pending);
      // A client may join when the pool has just given the answer up, because those who waited until then were gone.
      if (isGivenUp(error) && !areGone()) return begin(name, make, clients, liveThen);
      throw error;
    };
    const pending: Pending = { name, answer: made.then(share, failOrRetry), clients };
    awaited.add(pending);
    return pending.answer;
  }

  /** Caches a finished answer if it qualifies. `liveThen` is the dataset that was live when the request came. */
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
    // The times apply to the requests that waited for the answer, not to later cache hits.
    return lastingAnswer(answer, own, { compressed, times: answer.times });
  }

  function grow(forms: HeldForms, bytes: number): boolean {
    const entry = held.peek(forms.tag);
    if (entry?.answer.compressed !== forms) return false;
    held.set(forms.tag, { ...entry, sizeBytes: entry.sizeBytes + bytes });
    return true;
  }
}

/** Compressed forms of a cached answer. A class, because closures would cost seven objects for each cached answer. */
class HeldForms implements CompressedBodies {
  /** Created on demand, since most answers are never requested compressed. */
  private forms: Map<Encoding, Uint8Array> | undefined = undefined;

  constructor(
    readonly tag: string,
    /** Adds bytes to the answer's size in the cache; false if the answer is no longer cached. */
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

function isGivenUp(error: unknown): boolean {
  return error instanceof PoolError && error.code === 'client-gone';
}

/** Copies an answer whose body is in borrowed memory, which can be sent only once, so that it can be sent repeatedly. */
function owned(answer: Answer): Answer {
  const { body, release, times } = answer;
  if (!release || body === undefined) return answer;
  const own = inOwnMemory(body);
  release();
  return lastingAnswer(answer, own, { times });
}

/** Copies a body out of memory that it shares with its batch, so that caching it does not keep all of that memory. */
function inOwnMemory(body: Uint8Array | ByteText): Uint8Array {
  // Outside of V8's heap, which the garbage collector traverses again and again.
  if (typeof body === 'string') return bytesOf(body);
  const { buffer, byteLength } = body;
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) return body;
  const own = Buffer.allocUnsafeSlow(body.byteLength);
  own.set(body);
  return own;
}
