import { setTimeout as sleep } from 'node:timers/promises';
import Bottleneck from 'bottleneck';
import { createCircuit } from '../../outbound/circuit.js';
import { type Deadline, startDeadline } from '../../outbound/deadline.js';
import type { GeocoderName } from '../geocoder.js';
import { exchange, type UpstreamRequest } from './exchange.js';
import { ATTEMPTS, retryDelayMs } from './retry.js';
import { isRefusal, mayPass, UpstreamError, type UpstreamFailure } from './upstream-error.js';

/** What all upstream geocoders are asked by. */
export interface UpstreamSetup {
  readonly fetch: typeof fetch;
  /** Who asks, as the geocoders' operators see it. */
  readonly userAgent: string;
  /** For one question, from the moment it is asked: waiting for a free place and asking again count. */
  readonly timeoutMs: number;
  /** A clock that never goes back, milliseconds. */
  readonly now: () => number;
  /** Aborts when nobody waits for answers any more: questions are dropped then. */
  readonly closing: AbortSignal;
  /** 0 to 1. */
  readonly random: () => number;
  /** Is told why a question was given up, for the log: the reason holds nothing of the address or the answer. */
  readonly onFailure: (geocoder: GeocoderName, reason: UpstreamFailure) => void;
}

/** One geocoder's rules. */
export interface UpstreamRules {
  /** Questions at the same time. */
  readonly maxConcurrent: number;
  /** From the start of one question to the start of the next. */
  readonly minIntervalMs: number;
  /** Questions that may wait for their turn. */
  readonly maxWaiting: number;
}

/** Asks an upstream geocoder: `read` gives undefined for an answer that is none. Throws UpstreamError. */
export type UpstreamCall = <T>(request: UpstreamRequest, read: (body: string) => T | undefined) => Promise<T>;

const FAILURE_LIMIT = 5;
const COOL_DOWN_MS = 30_000;

/** A geocoder's caller: keeps to its rules, tries again where that can help, and leaves it alone while it is down. */
export function createUpstreamCall(geocoder: GeocoderName, setup: UpstreamSetup, rules: UpstreamRules): UpstreamCall {
  const { timeoutMs, now, random } = setup;
  const circuit = createCircuit({ failureLimit: FAILURE_LIMIT, coolDownMs: COOL_DOWN_MS, now });
  const limiter = new Bottleneck({
    maxConcurrent: rules.maxConcurrent,
    minTime: rules.minIntervalMs,
    highWater: rules.maxWaiting,
    strategy: Bottleneck.strategy.OVERFLOW,
  });

  const waiting = new Set<Deadline>();
  // What waits for its turn or for an answer would keep the process from ending.
  const drop = (): void => {
    for (const deadline of waiting) deadline.end();
    void limiter.stop({ dropWaitingJobs: true });
  };
  setup.closing.addEventListener('abort', drop, { once: true });

  return async (request, read) => {
    const deadline = startDeadline(timeoutMs, () => new UpstreamError(geocoder, 'timeout'));
    const untilMs = now() + timeoutMs;
    waiting.add(deadline);
    try {
      return await Promise.race([askPatiently(request, read, deadline.signal, untilMs), deadline.passed]);
    } catch (error) {
      const failure = asUpstreamError(error);
      setup.onFailure(geocoder, failure.reason);
      throw failure;
    } finally {
      waiting.delete(deadline);
      deadline.cancel();
    }
  };

  async function askPatiently<T>(
    request: UpstreamRequest,
    read: (body: string) => T | undefined,
    signal: AbortSignal,
    untilMs: number,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await limiter.schedule(() => ask(request, read, signal));
      } catch (error) {
        const failure = asUpstreamError(error);
        const delayMs = retryDelayMs(attempt, failure.restMs, random);
        if (attempt === ATTEMPTS || !mayPass(failure) || now() + delayMs >= untilMs) throw failure;
        await sleep(delayMs, undefined, { ref: false });
      }
    }
  }

  async function ask<T>(
    request: UpstreamRequest,
    read: (body: string) => T | undefined,
    signal: AbortSignal,
  ): Promise<T> {
    // Nobody waits for this answer any more. The geocoder was not asked, so its circuit learns nothing.
    if (signal.aborted) throw new UpstreamError(geocoder, 'busy');
    if (!circuit.tryEnter()) throw new UpstreamError(geocoder, 'cooling-down', circuit.restMs());
    try {
      const { fetch, userAgent } = setup;
      const answer = read(await exchange(request, { geocoder, fetch, userAgent, signal }));
      if (answer === undefined) throw new UpstreamError(geocoder, 'unexpected-answer');
      circuit.succeeded();
      return answer;
    } catch (error) {
      if (error instanceof UpstreamError && isRefusal(error)) circuit.succeeded();
      else circuit.failed(error instanceof UpstreamError ? error.restMs : undefined);
      throw error;
    }
  }

  /** The limiter's own error says that too many are waiting; anything else would be a bug. */
  function asUpstreamError(error: unknown): UpstreamError {
    if (error instanceof UpstreamError) return error;
    if (error instanceof Bottleneck.BottleneckError) return new UpstreamError(geocoder, 'busy');
    throw error;
  }
}
