import { setTimeout as sleep } from 'node:timers/promises';
import { CallError } from './call-error.js';
import { createCircuit } from './circuit.js';
import { type Deadline, startDeadline } from './deadline.js';
import { type CallRules, createSlotQueue } from './slot-queue.js';
import type { Turns } from './turns.js';

export interface CallerOptions {
  readonly rules: CallRules;
  /**
   * For one call, from the moment it is requested, including its wait for a free slot and any retries. At most half of it is
   * spent waiting for a slot: a call that began later would probably time out, while holding a slot that another could use.
   */
  readonly timeoutMs: number;
  /** How long the service is left alone after {@link FAILURE_LIMIT} failures in a row. */
  readonly coolDownMs: number;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Turns shared with other processes; without them, only this caller uses the service. */
  readonly turns?: Turns | undefined;
  /** Whether the error concerns the request only, so that the service counts as healthy. */
  readonly isRefusal?: (error: CallError) => boolean;
  /** Milliseconds to wait before a retry, after `attempt` failed attempts; undefined to give up. */
  readonly againAfterMs?: (error: CallError, attempt: number) => number | undefined;
}

/** Calls another service within its limits, and leaves it alone while it is down. */
export interface Caller {
  /** `make` makes the call and must end when the signal aborts. Throws {@link CallError}, and any other error of `make`. */
  call<T>(make: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Ends all calls at once: those waiting for a turn or a response would keep the process from ending. */
  close(): void;
}

const FAILURE_LIMIT = 5;
/** The share of a call's time that it may wait for a slot, and that it must have run for a timeout to count as a failure. */
const HALF = 0.5;

export function createCaller(options: CallerOptions): Caller {
  const { rules, timeoutMs, coolDownMs, now, isRefusal = () => false, againAfterMs = () => undefined } = options;
  const circuit = createCircuit({ failureLimit: FAILURE_LIMIT, coolDownMs, now });
  const slots = createSlotQueue({ rules, patienceMs: timeoutMs * HALF, turns: options.turns });
  const open = new Set<Deadline>();
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
      slots.close();
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

  /** Throws unless the circuit lets a call through, by `mayPass`. */
  function passCircuit(mayPass: () => boolean): void {
    // Read first: a rest that ended between the two would look like a cool-down, which is not waited out.
    const restMs = circuit.restMs();
    if (!mayPass()) throw new CallError('cooling-down', restMs);
  }

  function inTurn<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (closed || signal.aborted) throw new CallError('busy');
    // To wait for a turn only to be refused then would take the time of both.
    passCircuit(() => !circuit.isOpen());
    return slots.inTurn(call, signal);
  }

  async function callOnce<T>(make: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    // No one waits for this call any more. The service was not called, so the circuit records nothing.
    if (signal.aborted) throw new CallError('busy');
    passCircuit(circuit.tryEnter);
    const startedAtMs = now();
    try {
      const answer = await make(signal);
      circuit.succeeded();
      return answer;
    } catch (error) {
      // A call that was aborted before half of its time says nothing about the service.
      if (signal.aborted && now() - startedAtMs < timeoutMs * HALF) throw error;
      if (error instanceof CallError && isRefusal(error)) circuit.succeeded();
      else circuit.failed(error instanceof CallError ? error.restMs : undefined);
      throw error;
    }
  }
}
