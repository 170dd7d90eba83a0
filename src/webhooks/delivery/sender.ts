import type { Dispatcher } from 'undici';
import { createGuardedAgent, type ResolveAll } from '../../outbound/guarded-agent.js';
import { findUrlProblem, type OutboundPolicy } from '../../outbound/outbound-policy.js';
import type { NoResponse, Outcome } from '../attempt.js';
import { ATTEMPT_TIMEOUT_MS, DELIVERY_LIMITS } from './delivery-limits.js';
import type { SigningHeaders } from './signature.js';
import { whyNoResponse } from './why-no-response.js';

/** Sends events to subscribers, and only to addresses that the outbound policy allows. */
export interface Sender {
  /** Makes one attempt. Never rejects. */
  send(url: URL, headers: SigningHeaders, body: string): Promise<Outcome>;
  /** Closes all connections; attempts in flight end as `network` failures. */
  close(): void;
}

export interface SenderOptions {
  readonly policy: OutboundPolicy;
  /** The `User-Agent` that subscribers see. */
  readonly userAgent: string;
  /** For an entire attempt: name resolution, connection, response. */
  readonly timeoutMs?: number;
  readonly maxConnectionsPerHost?: number;
  /** Resolves a host name; only tests override it. */
  readonly resolve?: ResolveAll;
}

/**
 * Twice the number of subscriptions that are served concurrently per host: no attempt waits for a connection, even while
 * some connections of timed-out attempts have not closed yet.
 */
const MAX_CONNECTIONS_PER_HOST = 2 * DELIVERY_LIMITS.concurrentPerHost;
/**
 * How long to wait for the rest of the response once the status is known. A reusable connection is worth this delay; the
 * subscription's turn is not held up any longer.
 */
const REST_MS = 250;
/** The most that is read of a response body, which says nothing beyond the status. */
const ANSWER_MAX_BYTES = 1024;
/** A receiver that sends more of them before its response keeps this process busy until the attempt times out. */
const INFORMATIONAL_MAX = 16;

export function createSender(options: SenderOptions): Sender {
  const { policy, userAgent, timeoutMs = ATTEMPT_TIMEOUT_MS, resolve } = options;
  const { maxConnectionsPerHost: maxConnections = MAX_CONNECTIONS_PER_HOST } = options;
  const { allowedHosts } = policy;
  const settings = { allowedHosts, maxConnections, connectTimeoutMs: timeoutMs };
  const agent = createGuardedAgent({ ...settings, ...(resolve && { resolve }) });
  const underWay = new Set<Cut>();
  return {
    send: async (url, headers, body) => {
      // Checked each time: the settings may have become stricter since the subscription was created.
      if (findUrlProblem(url, policy) !== undefined) return { status: null, failure: 'refused', durationMs: 0 };
      const startedAtMs = performance.now();
      const request: Dispatcher.DispatchOptions = {
        method: 'POST',
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        headers: { 'Content-Type': 'application/json', 'User-Agent': userAgent, ...headers },
        body,
      };
      const ending = await exchange(agent, request, { timeoutMs, underWay });
      return { ...ending, durationMs: Math.round((performance.now() - startedAtMs) * 10) / 10 };
    },
    close: () => {
      // The agent itself does not know any more of a connection being made to a host where another one has just failed.
      for (const cut of underWay) cut();
      void agent.destroy();
    },
  };
}

/** An outcome without its duration. */
type Ending =
  | { readonly status: number; readonly failure: 'status' | null }
  | { readonly status: null; readonly failure: NoResponse };

/** Ends an attempt at once, as a `network` failure. */
type Cut = () => void;

interface ExchangeOptions {
  readonly timeoutMs: number;
  /** Holds the exchange's cut until it ends. */
  readonly underWay: Set<Cut>;
}

/**
 * Uses `dispatch`, undici's lowest-level API: at thousands of events a second, a request must not cost a stream. The status
 * decides the outcome; the body, which some receivers send slowly, gets a moment to end so that the connection is reusable.
 */
function exchange(
  agent: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, underWay }: ExchangeOptions,
): Promise<Ending> {
  return new Promise((resolve) => {
    let answer: Ending | undefined;
    let sizeBytes = 0;
    let informational = 0;
    let abort: ((reason: Error) => void) | undefined;
    let over = false;
    const end = (failure: NoResponse): void => {
      over = true;
      clearTimeout(deadline);
      underWay.delete(cut);
      resolve(answer ?? { status: null, failure });
    };
    const giveUp = (): void => {
      end('timeout');
      abort?.(new Error('timed out'));
    };
    const cut = (): void => {
      end('network');
      abort?.(new Error('cut'));
    };
    underWay.add(cut);
    let deadline = setTimeout(giveUp, timeoutMs);
    agent.dispatch(request, {
      onRequestStart: (controller) => {
        abort = (reason) => controller.abort(reason);
        // The attempt may have timed out, or been cut, before the connection was made.
        if (over) abort(new Error('over'));
      },
      onResponseStart: (controller, code) => {
        // Informational responses precede the final one.
        if (code < 200) {
          informational++;
          if (informational > INFORMATIONAL_MAX) controller.abort(new Error('no final response'));
          return;
        }
        answer = { status: code, failure: code < 300 ? null : 'status' };
        clearTimeout(deadline);
        deadline = setTimeout(giveUp, REST_MS);
      },
      onResponseData: (controller, chunk) => {
        sizeBytes += chunk.byteLength;
        if (sizeBytes > ANSWER_MAX_BYTES) controller.abort(new Error('a long answer'));
      },
      // Resolves with the status if there was one; a response that ends without one is a `network` failure.
      onResponseEnd: () => end('network'),
      onResponseError: (_controller, error) => end(whyNoResponse(error)),
    });
  });
}
