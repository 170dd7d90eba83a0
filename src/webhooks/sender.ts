import type { Dispatcher } from 'undici';
import { createGuardedAgent, RefusedAddressError, type ResolveAll } from '../outbound/guarded-agent.js';
import { findUrlProblem, type OutboundPolicy } from '../outbound/outbound-policy.js';
import { ATTEMPT_TIMEOUT_MS } from './delivery-limits.js';
import type { SigningHeaders } from './signature.js';
import type { DeliveryFailure } from './webhook-admin.js';

/** What came of one attempt. */
export interface Outcome {
  /** The HTTP status; null where there was no answer. */
  readonly status: number | null;
  /** Null where the event arrived: any 2xx. */
  readonly failure: DeliveryFailure | null;
  readonly durationMs: number;
}

/** Sends events to subscribers, and to nobody inside. */
export interface Sender {
  /** One attempt; never rejects. */
  send(url: URL, headers: SigningHeaders, body: string): Promise<Outcome>;
  /** Gives up what is under way, as `network` failures, and ends all connections. */
  close(): void;
}

export interface SenderOptions {
  readonly policy: OutboundPolicy;
  /** As the subscribers see it. */
  readonly userAgent: string;
  /** Of an attempt in all: name, connection, answer. */
  readonly timeoutMs?: number;
  readonly maxConnectionsPerHost?: number;
  /** Finds a name's addresses; only tests have a way of their own. */
  readonly resolve?: ResolveAll;
}

/**
 * Twice as many as subscriptions of one host are served at a time (DELIVERY_LIMITS): no attempt waits for a connection, even
 * while some that were given up have not ended yet.
 */
const MAX_CONNECTIONS_PER_HOST = 32;
/**
 * For what follows the status: a connection that can be used again is worth so much, and its subscription's turn no
 * more.
 */
const REST_MS = 250;
/** What is read of an answer, which says nothing beyond its status. */
const ANSWER_MAX_BYTES = 1024;
/** Of Node's codes for certificates (https://nodejs.org/api/tls.html#x509-certificate-error-codes), and for a wrong name. */
const CERTIFICATE_ERROR =
  /^(?:CERT_|CRL_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|ERROR_IN_CERT_|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;
const RESOLVER_ERRORS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME']);

export function createSender(options: SenderOptions): Sender {
  const { policy, userAgent, timeoutMs = ATTEMPT_TIMEOUT_MS, resolve } = options;
  const { maxConnectionsPerHost: maxConnections = MAX_CONNECTIONS_PER_HOST } = options;
  const { allowedHosts } = policy;
  const settings = { allowedHosts, maxConnections, connectTimeoutMs: timeoutMs };
  const agent = createGuardedAgent({ ...settings, ...(resolve && { resolve }) });
  return {
    send: async (url, headers, body) => {
      // Checked each time: settings may be stricter than when the subscription was made.
      if (findUrlProblem(url, policy) !== undefined) return { status: null, failure: 'refused', durationMs: 0 };
      const startedAtMs = performance.now();
      const request: Dispatcher.DispatchOptions = {
        method: 'POST',
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        headers: { 'Content-Type': 'application/json', 'User-Agent': userAgent, ...headers },
        body,
      };
      const ending = await exchange(agent, request, timeoutMs);
      return { ...ending, durationMs: Math.round((performance.now() - startedAtMs) * 10) / 10 };
    },
    close: () => void agent.destroy(),
  };
}

type Ending = Pick<Outcome, 'status' | 'failure'>;

/**
 * By the lowest of undici's ways: at thousands of events a second a request must not cost a stream. The status is the
 * answer; what comes after it, which some let drip, has a moment to end, so that the connection can be used again.
 */
function exchange(agent: Dispatcher, request: Dispatcher.DispatchOptions, timeoutMs: number): Promise<Ending> {
  return new Promise((resolve) => {
    let answer: Ending | undefined;
    let sizeBytes = 0;
    let abort: ((reason: Error) => void) | undefined;
    let over = false;
    const end = (failure: DeliveryFailure): void => {
      over = true;
      clearTimeout(deadline);
      resolve(answer ?? { status: null, failure });
    };
    const giveUp = (): void => {
      end('timeout');
      abort?.(new Error('timed out'));
    };
    let deadline = setTimeout(giveUp, timeoutMs);
    agent.dispatch(request, {
      onRequestStart: (controller) => {
        abort = (reason) => controller.abort(reason);
        // The connection may have taken longer than anybody waits for it.
        if (over) abort(new Error('timed out'));
      },
      onResponseStart: (_controller, code) => {
        // What comes before is no answer yet.
        if (code < 200) return;
        answer = { status: code, failure: code < 300 ? null : 'status' };
        clearTimeout(deadline);
        deadline = setTimeout(giveUp, REST_MS);
      },
      onResponseData: (controller, chunk) => {
        sizeBytes += chunk.byteLength;
        if (sizeBytes > ANSWER_MAX_BYTES) controller.abort(new Error('a long answer'));
      },
      // With the status; where there was none, what came was no answer.
      onResponseEnd: () => end('network'),
      onResponseError: (_controller, error) => end(failureOf(error)),
    });
  });
}

function failureOf(error: Error & { readonly code?: string }): DeliveryFailure {
  if (error instanceof RefusedAddressError) return 'refused';
  const { code = '' } = error;
  if (CERTIFICATE_ERROR.test(code)) return 'certificate';
  return RESOLVER_ERRORS.has(code) ? 'dns' : 'network';
}
