import { LRUCache } from 'lru-cache';
import { type ByteText, bytesOf } from '../../core/byte-text.js';
import { type Answer, lastingAnswer } from '../answer.js';
import type { CompressedBodies, Encoding } from '../sending/compression.js';
import { createNewcomers } from './newcomers.js';
import { type RequestName, spellOut } from './request-name.js';

/** The finished answers of a cache, the least recently used of which gives way. */
export interface HeldAnswers {
  /** How many there are. */
  readonly size: number;
  find(name: RequestName): Answer | undefined;
  /**
   * Holds an answer with a body; once all room is taken, only if the same was asked before. Returns the answer to send, which
   * has its body in memory of its own if it is held.
   */
  hold(name: RequestName, answer: Answer, body: Buffer | ByteText): Answer;
  clear(): void;
}

export interface HeldAnswersOptions {
  /** The most answers. */
  readonly maxEntries: number;
  /** The most bytes that they take, compressed forms included. */
  readonly maxBytes: number;
}

interface Entry {
  /** Route and input are compared on a hit, since a crafted tag collision would otherwise return another tract's answer. */
  readonly route: RequestName['route'];
  readonly input: string;
  readonly answer: Answer;
  readonly sizeBytes: number;
}

/** The most uncached requests that are remembered, to recognize repetitions: 4 MiB. */
const NEWCOMERS_MAX = 2 ** 20;
/** The approximate size of an entry without its body and input. */
const OVERHEAD_BYTES = 512;

export function createHeldAnswers({ maxEntries, maxBytes }: HeldAnswersOptions): HeldAnswers {
  const held = new LRUCache<string, Entry>({
    max: maxEntries,
    maxSize: maxBytes,
    sizeCalculation: ({ sizeBytes }) => sizeBytes,
  });
  const newcomers = createNewcomers(Math.min(2 * maxEntries, NEWCOMERS_MAX));

  return {
    get size() {
      return held.size;
    },
    find: (name) => {
      const entry = held.get(name.tag);
      return entry && entry.route === name.route && entry.input === spellOut(name) ? entry.answer : undefined;
    },
    hold: (name, answer, body) => {
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
    },
    clear: () => held.clear(),
  };

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
  private forms: Map<Encoding, Buffer> | undefined = undefined;

  constructor(
    readonly tag: string,
    /** Adds bytes to the answer's size in the cache; false if the answer is no longer cached. */
    private readonly grow: (forms: HeldForms, bytes: number) => boolean,
  ) {}

  get(encoding: Encoding): Buffer | undefined {
    return this.forms?.get(encoding);
  }

  set(encoding: Encoding, body: Buffer): void {
    const before = this.get(encoding)?.byteLength ?? 0;
    if (!this.grow(this, body.byteLength - before)) return;
    this.forms ??= new Map();
    this.forms.set(encoding, body);
  }
}

/** Copies an answer whose body is in borrowed memory, which can be sent only once, so that it can be sent repeatedly. */
export function owned(answer: Answer): Answer {
  const { body, release, times } = answer;
  if (!release || body === undefined) return answer;
  const own = inOwnMemory(body);
  release();
  return lastingAnswer(answer, own, { times });
}

/** Copies a body out of memory that it shares with its batch, so that caching it does not keep all of that memory. */
function inOwnMemory(body: Buffer | ByteText): Buffer {
  // Outside of V8's heap, which the garbage collector traverses again and again.
  if (typeof body === 'string') return bytesOf(body);
  const { buffer, byteLength } = body;
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) return body;
  const own = Buffer.allocUnsafeSlow(body.byteLength);
  own.set(body);
  return own;
}
