import { setTimeout as delay } from 'node:timers/promises';
import { createConnection, encodeAsks } from './connection.js';
import type { Job, LoadResult } from './job.js';
import type { StallWatch } from './stall-watch.js';
import { withoutStalls } from './stalls.js';
import { createTally } from './tally.js';

/** How long the last answers may take after the last request was due; what then has none is a failure. */
const DRAIN_MS = 10_000;

/** Between two looks at what is due: timers, which count whole milliseconds, would be the most of a short latency. */
const NAP_MS = 0.1;

/**
 * Sends at a fixed rate whatever the server does, and measures each answer from the moment at which its request was due:
 * a server that stalls for a second is charged with the whole second by every request that was due in it, and not by
 * the few alone that were on their way (coordinated omission). What the client does late is charged to the server, too, so
 * that latencies are at most some tenths of a millisecond too long, never too short. Where the machine under this one
 * takes its processors away now and then, latencies without these stalls are given beside.
 * Kept connections are open before the first request is due, as a client's pool has them: otherwise hundreds of them would
 * be accepted at once in the first moments, and again in each stall, which is another question than latency at this rate.
 */
export async function runOpenLoop(job: Job, watch?: StallWatch): Promise<LoadResult> {
  const perMillisecond = (job.ratePerSecond ?? 0) / 1000;
  const leadInMs = (job.leadInSeconds ?? 0) * 1000;
  const total = Math.floor((leadInMs + job.seconds * 1000) * perMillisecond);
  const tally = createTally();
  const answers = { dueMs: new Float64Array(total), latencyMs: new Float64Array(total), count: 0 };
  let countsFrom = Number.POSITIVE_INFINITY;
  const answered: Answered = (status, bytes, dueMs) => {
    if (dueMs < countsFrom) return;
    const latencyMs = performance.now() - dueMs;
    tally.answered(status, bytes, latencyMs);
    if (status !== 200) return;
    answers.dueMs[answers.count] = performance.timeOrigin + dueMs;
    answers.latencyMs[answers.count++] = latencyMs;
  };
  const sender = createSender(job, answered, () => tally.failed());
  if (job.keepAlive) await sender.connect(DRAIN_MS);
  // What the requests' texts left behind is not to be cleared up while time is taken.
  globalThis.gc?.();
  await watch?.take();
  const startedAt = performance.now();
  countsFrom = startedAt + leadInMs;
  let due = 0;
  await new Promise<void>((resolve) => {
    const step = (): void => {
      const elapsedMs = performance.now() - startedAt;
      for (; due < total && due / perMillisecond <= elapsedMs; due++) sender.send(startedAt + due / perMillisecond);
      if (due === total) {
        resolve();
        return;
      }
      nap(NAP_MS);
      setImmediate(step);
    };
    step();
  });
  await sender.drained(DRAIN_MS);
  const stalls = await watch?.take();
  tally.failed(sender.unanswered());
  sender.close();
  return { ...tally.result(job.seconds), ...(stalls && { undisturbed: withoutStalls(answers, stalls) }) };
}

const nothing = new Int32Array(new SharedArrayBuffer(4));

/** Leaves the processor to others; the event loop stands still for so long. */
function nap(milliseconds: number): void {
  Atomics.wait(nothing, 0, 0, milliseconds);
}

/** Told of an answer to the request that was due at a moment of `performance.now()`. */
type Answered = (status: number, bytes: number, dueMs: number) => void;

interface Sender {
  /** Opens all connections, by one request each that is not counted. */
  connect(timeoutMs: number): Promise<void>;
  /** Sends the next request, now or as soon as a connection is free. */
  send(dueAtMs: number): void;
  drained(timeoutMs: number): Promise<void>;
  unanswered(): number;
  close(): void;
}

function createSender(job: Job, answered: Answered, failed: () => void): Sender {
  const backlog: number[] = [];
  let firstWaiting = 0;
  let unanswered = 0;
  let onDrained = (): void => {};
  const idle: Asker[] = [];
  const release = (asker: Asker): void => {
    unanswered--;
    const waiting = backlog[firstWaiting];
    if (waiting === undefined) idle.push(asker);
    else {
      firstWaiting++;
      asker.ask(waiting);
    }
    if (unanswered === 0) onDrained();
  };
  const askers = createAskers(job, { answered, failed, release });
  idle.push(...askers);
  return {
    connect: async (timeoutMs) => {
      const opened = Promise.all(askers.map(({ connect }) => connect()));
      const timer = new AbortController();
      await Promise.race([opened, delay(timeoutMs, undefined, { signal: timer.signal }).catch(() => {})]);
      timer.abort();
    },
    send: (dueAtMs) => {
      unanswered++;
      const asker = idle.pop();
      if (asker) asker.ask(dueAtMs);
      else backlog.push(dueAtMs);
    },
    drained: (timeoutMs) =>
      new Promise((resolve) => {
        if (unanswered === 0) return resolve();
        const timer = setTimeout(resolve, timeoutMs);
        onDrained = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    unanswered: () => unanswered,
    close: () => {
      for (const asker of askers) asker.close();
    },
  };
}

/** A connection that sends the next request and tells when it is free again. */
interface Asker {
  /** Sends the request before the first, and is done when it is answered, or has failed. */
  connect(): Promise<void>;
  ask(dueAtMs: number): void;
  close(): void;
}

interface AskerEvents {
  readonly answered: Answered;
  readonly failed: () => void;
  /** The connection can be asked again. */
  readonly release: (asker: Asker) => void;
}

function createAskers(job: Job, { answered, failed, release }: AskerEvents): Asker[] {
  const url = new URL(job.url);
  const requestAt = encodeAsks(url, job);
  let next = job.startAt;
  return Array.from({ length: job.connections }, () => {
    let dueAtMs = 0;
    let onConnected: (() => void) | undefined;
    /** Whether this was the request that opened the connection. */
    const wasFirst = (): boolean => {
      const connected = onConnected;
      onConnected = undefined;
      connected?.();
      return connected !== undefined;
    };
    const connection = createConnection(url, job.keepAlive, {
      answered: (status, bytes) => {
        if (wasFirst()) return;
        answered(status, bytes, dueAtMs);
        release(asker);
      },
      failed: () => {
        if (wasFirst()) return;
        failed();
        release(asker);
      },
    });
    const asker: Asker = {
      connect: () =>
        new Promise((resolve) => {
          onConnected = resolve;
          connection.send(requestAt(job.startAt + job.asks.length - 1));
        }),
      ask: (due) => {
        dueAtMs = due;
        connection.send(requestAt(next++));
      },
      close: connection.close,
    };
    return asker;
  });
}
