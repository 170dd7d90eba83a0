import { setTimeout as sleep } from 'node:timers/promises';
import Bottleneck from 'bottleneck';
import { CallError } from './call-error.js';
import { createCircuit } from './circuit.js';
import { type Deadline, startDeadline } from './deadline.js';

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
  /** For one call, from the moment it is asked for: waiting for a free place and calling again count. */
  readonly timeoutMs: number;
  /** After a few failures in a row the service is left alone for so long. */
  readonly coolDownMs: number;
  /** A clock that never goes back, milliseconds. */
  readonly now: () => number;
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

export function createCaller(options: CallerOptions): Caller {
  const { rules, timeoutMs, coolDownMs, now, isRefusal = () => false, againAfterMs = () => undefined } = options;
  const circuit = createCircuit({ failureLimit: FAILURE_LIMIT, coolDownMs, now });
  const limiter = new Bottleneck({
    maxConcurrent: rules.maxConcurrent,
    minTime: rules.minIntervalMs,
    highWater: rules.maxWaiting,
    strategy: Bottleneck.strategy.OVERFLOW,
  });
  const waiting = new Set<Deadline>();

  return {
    call: async (make) => {
      const deadline = startDeadline(timeoutMs, () => new CallError('timeout'));
      const untilMs = now() + timeoutMs;
      waiting.add(deadline);
      try {
        return await Promise.race([callPatiently(make, deadline.signal, untilMs), deadline.passed]);
      } finally {
        waiting.delete(deadline);
        deadline.cancel();
      }
    },
    close: () => {
      for (const deadline of waiting) deadline.end();
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
        return await limiter.schedule(() => callOnce(make, signal));
      } catch (error) {
        const failure = asCallError(error);
        const delayMs = againAfterMs(failure, attempt);
        if (delayMs === undefined || now() + delayMs >= untilMs) throw failure;
        await sleep(delayMs, undefined, { ref: false });
      }
    }
  }

  async function callOnce<T>(make: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    // Nobody waits for this answer any more. The service was not asked, so its circuit learns nothing.
    if (signal.aborted) throw new CallError('busy');
    if (!circuit.tryEnter()) throw new CallError('cooling-down', circuit.restMs());
    try {
      const answer = await make(signal);
      circuit.succeeded();
      return answer;
    } catch (error) {
      if (error instanceof CallError && isRefusal(error)) circuit.succeeded();
      else circuit.failed(error instanceof CallError ? error.restMs : undefined);
      throw error;
    }
  }
}

/** The limiter's own error says that too many are waiting; anything else would be a bug. */
function asCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  if (error instanceof Bottleneck.BottleneckError) return new CallError('busy');
  throw error;
}
