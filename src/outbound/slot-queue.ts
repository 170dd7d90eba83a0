import { setTimeout as sleep } from 'node:timers/promises';
import Bottleneck from 'bottleneck';
import { deferred } from '../core/deferred.js';
import { CallError } from './call-error.js';
import { keepSteady } from './steady-limiter.js';
import type { Turns } from './turns.js';

/** The rate and concurrency limits for calls to another service. */
export interface CallRules {
  /** The most concurrent calls. */
  readonly maxConcurrent: number;
  /** The least time between the starts of two calls. */
  readonly minIntervalMs: number;
  /** The most calls that may wait for their turn. */
  readonly maxWaiting: number;
}

export interface SlotQueueOptions {
  readonly rules: CallRules;
  /** The longest that a call waits for a slot. */
  readonly patienceMs: number;
  /** Turns shared with other processes; without them, only this queue's calls count. */
  readonly turns: Turns | undefined;
}

/** Where calls wait for one of the slots that the rules allow, first come, first served. */
export interface SlotQueue {
  /**
   * Makes a call in a slot. Throws {@link CallError} `busy` if too many wait already, and rejects with it if the call's
   * patience ends, or the signal aborts, while it waits.
   */
  inTurn<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Gives out no more slots. */
  close(): void;
}

/** Makes a call that has waited for its turn. Never rejects. */
type Waiter = () => Promise<void>;

export function createSlotQueue({ rules, patienceMs, turns }: SlotQueueOptions): SlotQueue {
  const { maxConcurrent, minIntervalMs, maxWaiting } = rules;
  const limiter = keepSteady(new Bottleneck({ maxConcurrent, minTime: minIntervalMs }));
  /** Waiting calls, oldest first. A turn goes to the oldest; calls that gave up have left the queue. */
  const queue: Waiter[] = [];
  /** Calls that are being made. */
  let callsUnderWay = 0;
  /** Limiter jobs scheduled for the queue. A call that gives up leaves its job to the next call. */
  let scheduled = 0;

  return {
    inTurn: (call, signal) => {
      // The queue holds only calls that still wait; one that gave up has made room for another.
      if (queue.length >= maxWaiting + maxConcurrent - callsUnderWay) throw new CallError('busy');
      return enqueue(call, signal);
    },
    close: () => {
      void limiter.stop({ dropWaitingJobs: true });
    },
  };

  function enqueue<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
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
    const patience = setTimeout(() => leave(new CallError('busy')), patienceMs).unref();
    // The deadline of a retried call may pass before its patience ends.
    signal.addEventListener('abort', () => leave(new CallError('busy')), { once: true });
    queue.push(waiter);
    if (scheduled < queue.length) {
      scheduled++;
      // Rejects if the job is dropped by `close`.
      limiter.schedule(serve).catch(leave);
    }
    return promise;
  }

  /** Runs in a limiter slot: makes the call that has waited longest, if any still waits. */
  async function serve(): Promise<void> {
    while (queue.length > 0 && turns) {
      const waitMs = turns.take(minIntervalMs);
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
}
