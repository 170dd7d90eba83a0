import { ALWAYS_THERE, type Client, PoolError } from '../../pool/request.js';
import type { Answer } from '../answer.js';
import { createAwaited, type Pending } from './awaited.js';
import { createHeldAnswers, owned } from './held-answers.js';
import type { RequestName } from './request-name.js';

export interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
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
  stats(): CacheCounts;
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

export function createResponseCache(options: ResponseCacheOptions): ResponseCache {
  const { maxEntries, maxBytes } = options;
  const enabled = maxEntries > 0 && maxBytes > 0;
  // There is no room for zero answers; if the cache is off, this smallest one stays unused.
  const held = createHeldAnswers({ maxEntries: Math.max(1, maxEntries), maxBytes: Math.max(1, maxBytes) });
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
    stats: () => ({ hits, misses, size: held.size, max_size: maxEntries }),
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
    const answer = held.find(name);
    if (answer) return answer;
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
    return status === 200 && body !== undefined && isOfLive ? held.hold(name, answer, body) : answer;
  }
}

function isGivenUp(error: unknown): boolean {
  return error instanceof PoolError && error.code === 'client-gone';
}
