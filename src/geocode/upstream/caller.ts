import { CallError, type CallFailure } from '../../outbound/call-error.js';
import { createCaller } from '../../outbound/caller.js';
import { requestText } from '../../outbound/request-text.js';
import type { CallRules } from '../../outbound/slot-queue.js';
import type { Turns } from '../../outbound/turns.js';
import type { GeocoderName } from '../geocoder.js';
import { againAfterMs } from './retry.js';
import { isRefusal, UpstreamError } from './upstream-error.js';

/** What all upstream geocoders are called with. */
export interface UpstreamSetup {
  readonly fetch: typeof fetch;
  /** How the service identifies itself to the geocoders' operators. */
  readonly userAgent: string;
  /** For one question, from the moment it is asked, including the wait for a free place and retries. */
  readonly timeoutMs: number;
  /** A monotonic clock, milliseconds. */
  readonly now: () => number;
  /** Aborts when nobody waits for answers any more: pending questions are then dropped. */
  readonly closing: AbortSignal;
  /** Gives a number from 0 to 1. */
  readonly random: () => number;
  /** Called with the reason why a question was given up, for the log: it contains nothing of the address or the answer. */
  readonly onFailure: (geocoder: GeocoderName, reason: CallFailure) => void;
}

/** One question to an upstream geocoder. */
export interface UpstreamRequest {
  readonly url: URL;
  /** Posted as multipart form data; without it the request is a GET. */
  readonly form?: FormData;
  /** Media type of the answer. */
  readonly accept: 'application/json' | 'text/csv';
}

/** Asks an upstream geocoder. `read` returns undefined for a body that is no valid answer. Throws UpstreamError. */
export type UpstreamCall = <T>(request: UpstreamRequest, read: (body: string) => T | undefined) => Promise<T>;

const COOL_DOWN_MS = 30_000;
/** Answers are a few kilobytes, even for 50 addresses. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * Calls one geocoder: keeps to its rules, retries where that can help, and leaves it alone while it is down. With
 * `turns`, the rules' interval is kept jointly with everyone else who takes them.
 */
export function createUpstreamCall(
  geocoder: GeocoderName,
  setup: UpstreamSetup,
  rules: CallRules,
  turns?: Turns,
): UpstreamCall {
  const { timeoutMs, now, random, fetch, userAgent } = setup;
  const caller = createCaller({
    rules,
    turns,
    timeoutMs,
    coolDownMs: COOL_DOWN_MS,
    now,
    isRefusal,
    againAfterMs: (error, attempt) => againAfterMs(error, attempt, random),
  });
  setup.closing.addEventListener('abort', caller.close, { once: true });

  return async ({ url, form, accept }, read) => {
    const headers = { accept, 'accept-language': 'en', 'user-agent': userAgent };
    try {
      return await caller.call(async (signal) => {
        const answer = read(
          await requestText({ url, headers, body: form }, { fetch, maxBytes: MAX_ANSWER_BYTES, signal }),
        );
        if (answer === undefined) throw new CallError('unexpected-answer');
        return answer;
      });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setup.onFailure(geocoder, error.reason);
      throw new UpstreamError(geocoder, error.reason);
    }
  };
}
