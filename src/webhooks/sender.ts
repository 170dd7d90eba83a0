import type { Dispatcher } from 'undici';
import { createGuardedAgent, RefusedAddressError, type ResolveAll } from '../outbound/guarded-agent.js';
import { findUrlProblem, type OutboundPolicy } from '../outbound/outbound-policy.js';
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

const TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS_PER_HOST = 32;
/** What is read of an answer, which says nothing beyond its status. */
const ANSWER_MAX_BYTES = 1024;
/** Of Node's codes for certificates (https://nodejs.org/api/tls.html#x509-certificate-error-codes), and for a wrong name. */
const CERTIFICATE_ERROR =
  /^(?:CERT_|CRL_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|ERROR_IN_CERT_|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;
const RESOLVER_ERRORS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME']);

export function createSender(options: SenderOptions): Sender {
  const { policy, userAgent, timeoutMs = TIMEOUT_MS, resolve } = options;
  const { maxConnectionsPerHost: maxConnections = MAX_CONNECTIONS_PER_HOST } = options;
  const { allowedHosts } = policy;
  const settings = { allowedHosts, maxConnections, connectTimeoutMs: timeoutMs };
  const agent = createGuardedAgent({ ...settings, ...(resolve && { resolve }) });
  return {
    send: async (url, headers, body) => {
      const startedAtMs = performance.now();
      const finish = (end: Pick<Outcome, 'status' | 'failure'>): Outcome => {
        return { ...end, durationMs: Math.round((performance.now() - startedAtMs) * 10) / 10 };
      };
      // Checked each time: settings may be stricter than when the subscription was made.
      if (findUrlProblem(url, policy) !== undefined) return finish({ status: null, failure: 'refused' });
      const request: Dispatcher.DispatchOptions = {
        method: 'POST',
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        headers: { 'Content-Type': 'application/json', 'User-Agent': userAgent, ...headers },
        body,
      };
      return finish(await exchange(agent, request, timeoutMs));
    },
    close: () => void agent.destroy(),
  };
}

/**
 * By the lowest of undici's ways: at thousands of events a second a request must not cost a stream. The status is the answer:
 * nobody waits for what comes after it, which some let drip.
 */
function exchange(
  agent: Dispatcher,
  request: Dispatcher.DispatchOptions,
  timeoutMs: number,
): Promise<Pick<Outcome, 'status' | 'failure'>> {
  return new Promise((resolve) => {
    let status: number | null = null;
    let sizeBytes = 0;
    let abort: ((reason: Error) => void) | undefined;
    let late = false;
    const end = (failure: DeliveryFailure): void => {
      clearTimeout(deadline);
      if (status === null) resolve({ status, failure });
    };
    const deadline = setTimeout(() => {
      late = true;
      end('timeout');
      abort?.(new Error('timed out'));
    }, timeoutMs);
    agent.dispatch(request, {
      onRequestStart: (controller) => {
        abort = (reason) => controller.abort(reason);
        // It may have waited for a connection for longer than anybody waits for it.
        if (late) abort(new Error('timed out'));
      },
      onResponseStart: (_controller, code) => {
        // What comes before is no answer yet.
        if (code < 200) return;
        status = code;
        resolve({ status, failure: code < 300 ? null : 'status' });
      },
      onResponseData: (controller, chunk) => {
        sizeBytes += chunk.byteLength;
        if (sizeBytes > ANSWER_MAX_BYTES) controller.abort(new Error('a long answer'));
      },
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
