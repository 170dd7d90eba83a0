import { setTimeout as sleep } from 'node:timers/promises';
import Bottleneck from 'bottleneck';
import { deferred } from '../core/deferred.js';
import { CallError } from './call-error.js';
import { createCircuit } from './circuit.js';
import { type Deadline, startDeadline } from './deadline.js';
import type { Turns } from './turns.js';

/** How often another service may be called. */
export interface CallRules {
  /** Calls at the same time. */
  readonly maxConcurrent: number;
  /** From the start of one call to the start of the next. */
  readonly minIntervalMs: number;
  /** Calls that may wait for their turn. */
  readonly maxWaiting: number;
}

export interface CallerOptions {
  readonly rules: CallRules;
  /**
   * For one call, from the moment it is asked for: waiting for a free place and calling again count. At most half of it is
   * spent waiting for a place: a call that began later would probably time out, and hold a place that another could use.
   */
  readonly timeoutMs: number;
  /** After a few failures in a row the service is left alone for so long. */
  readonly coolDownMs: number;
  /** A clock that never goes back, milliseconds. */
  readonly now: () => number;
  /** Turns that other processes take, too; without them the caller has the service to itself. */
  readonly turns?: Turns | undefined;
  /** Whether what is wrong is what was asked: the service itself is well. */
  readonly isRefusal?: (error: CallError) => boolean;
  /** How long to wait before a call is made again, milliseconds; `attempt` of them have failed. Undefined to give up. */
  readonly againAfterMs?: (error: CallError, attempt: number) => number | undefined;
}

/** Calls another service: keeps to its rules, and leaves it alone while it is down. */
export interface Caller {
  /** `make` makes the call, until the signal aborts. Throws {@link CallError}, and what `make` throws beside. */
  call<T>(make: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Nobody waits for answers any more. What waits for its turn or for an answer would keep the process from ending. */
  close(): void;
}

const FAILURE_LIMIT = 5;
/** Of the time for a call, what may be waited for a place, and what a call must have had to have failed by itself. */
const HALF = 0.5;

/** A call that waits for its turn: makes it. Never rejects. */
type Waiter = () => Promise<void>;

export function createCaller(options: CallerOptions): Caller {
  const { rules, timeoutMs, coolDownMs, now, isRefusal = () => false, againAfterMs = () => undefined } = options;
  const circuit = createCircuit({ failureLimit: FAILURE_LIMIT, coolDownMs, now });
  const { maxConcurrent, minIntervalMs, maxWaiting } = rules;
  const limiter = new Bottleneck({ maxConcurrent, minTime: minIntervalMs });
  const open = new Set<Deadline>();
  /** The oldest first. A turn is for whoever waits longest: whoever gave up has left. */
  const queue: Waiter[] = [];
  /** Calls that are being made. */
  let callsUnderWay = 0;
  /** Jobs that the limiter has for those in the queue: whoever gives up leaves one to whoever comes next. */
  let scheduled = 0;
  let closed = false;

  return {
    call: async (make) => {
      const deadline = startDeadline(timeoutMs, () => new CallError('timeout'));
      const untilMs = now() + timeoutMs;
      open.add(deadline);
      try {
        return await Promise.race([callPatiently(make, deadline.signal, untilMs), deadline.passed]);
      } finally {
        open.delete(deadline);
        deadline.cancel();
      }
    },
    close: () => {
      closed = true;
      for (const deadline of open) deadline.end();
      void limiter.stop({ dropWaitingJobs: true });
    },
  };

  async function callPatiently<T>(
    make: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
    untilMs: number,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await inTurn(() => callOnce(make, signal), signal);
      } catch (error) {
        const delayMs = error instanceof CallError ? againAfterMs(error, attempt) : undefined;
        if (delayMs === undefined || now() + delayMs >= untilMs) throw error;
        await sleep(delayMs, undefined, { ref: false });
      }
    }
  }

  function inTurn<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
    // The line is as long as those who wait in it: who gave up has made room for somebody else.
    const isFull = queue.length >= maxWaiting + maxConcurrent - callsUnderWay;
    if (closed || signal.aborted || isFull) throw new CallError('busy');
    const { promise, resolve, reject } = deferred<T>();
    const waiter: Waiter = () => {
      clearTimeout(patience);
      return call().then(resolve, reject);
    };
    const leave = (error: Error): void => {
      clearTimeout(patience);
      const place = queue.indexOf(waiter);
      if (place >= 0) queue.splice(place, 1);
      reject(error);
    };
    const patience = setTimeout(() => leave(new CallError('busy')), timeoutMs * HALF).unref();
    // The time of a call that is made again may be up before that.
    signal.addEventListener('abort', () => leave(new CallError('busy')), { once: true });
    queue.push(waiter);
    if (scheduled < queue.length) {
      scheduled++;
      // Dropped at the end, when nobody waits any more.
      limiter.schedule(serve).catch(leave);
    }
    return promise;
  }

  /** In a place of its own: makes the call of whoever waits longest, where anybody still does. */
  async function serve(): Promise<void> {
    while (queue.length > 0 && options.turns) {
      const waitMs = options.turns.take(minIntervalMs);
      if (waitMs === 0) break;
      await sleep(waitMs, undefined, { ref: false });
    }
    scheduled--;
    const waiter = queue.shift();
    if (!waiter) return;
    callsUnderWay++;
    await waiter();
    callsUnderWay--;
  }

  async function callOnce<T>(make: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    // Nobody waits for this answer any more. The service was not asked, so its circuit learns nothing.
    if (signal.aborted) throw new CallError('busy');
    if (!circuit.tryEnter()) throw new CallError('cooling-down', circuit.restMs());
    const startedAtMs = now();
    try {
      const answer = await make(signal);
      circuit.succeeded();
      return answer;
    } catch (error) {
      // A call that was cut off before it had its time says nothing of the service.
      if (signal.aborted && now() - startedAtMs < timeoutMs * HALF) throw error;
      if (error instanceof CallError && isRefusal(error)) circuit.succeeded();
      else circuit.failed(error instanceof CallError ? error.restMs : undefined);
      throw error;
    }
  }
}
