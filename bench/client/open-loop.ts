import { setTimeout as delay } from 'node:timers/promises';
import { blockThread } from '../../src/platform/block-thread.js';
import { createConnection, encodeAsks } from './connection.js';
import type { Job, LoadResult } from './job.js';
import type { StallWatch } from './stall-watch.js';
import { withoutStalls } from './stalls.js';
import { createTally } from './tally.js';

/** How long requests are still sent after the last one was due, and how long the last answers may take after that. */
const DRAIN_MS = 10_000;

/** The pause between two checks for due requests. Timers, which count whole milliseconds, would dwarf a short latency. */
const NAP_MS = 0.1;

/**
 * Sends requests at a fixed rate, whatever the server does, and measures each answer from the moment its request was due.
 * A stall of the server is therefore charged to every request that was due during it, not only to the few that were in
 * flight (no coordinated omission). The client's own delays are charged to the server too, so that latencies are at most
 * some tenths of a millisecond too long, and never too short. If the host takes this machine's processors away now and
 * then, the result also has the latencies without these stalls.
 * Kept connections are opened before the first request is due, as in a client's connection pool. Otherwise the server would
 * have to accept hundreds of them at once at the start, and again after each stall, which is not latency at this rate.
 * `drainMs` is for tests, which need not wait as long.
 */
export async function runOpenLoop(job: Job, watch?: StallWatch, drainMs = DRAIN_MS): Promise<LoadResult> {
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
  const sender = createSender(job, answered, (dueMs) => {
    if (dueMs >= countsFrom) tally.failed();
  });
  if (job.keepAlive) await sender.connect(drainMs);
  // Collects the garbage of encoding the requests now, not while latencies are measured.
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
      // Gives up the processor.
      blockThread(NAP_MS);
      setImmediate(step);
    };
    step();
  });
  await sender.drained(drainMs);
  // What still waits for a connection is given up; what has been sent may yet be answered.
  sender.giveUpWaiting();
  await sender.drained(drainMs);
  const stalls = await watch?.take();
  const left = sender.left(countsFrom);
  tally.failed(left.unanswered);
  tally.neverSent(left.neverSent);
  sender.close();
  return { ...tally.result(job.seconds), ...(stalls && { undisturbed: withoutStalls(answers, stalls) }) };
}

/** Called for each answer. `dueMs` is when its request was due, on the clock of `performance.now()`. */
type Answered = (status: number, bytes: number, dueMs: number) => void;

/** Called for each request whose connection failed. */
type Failed = (dueMs: number) => void;

interface Sender {
  /** Opens all connections by sending one uncounted request over each. */
  connect(timeoutMs: number): Promise<void>;
  /** Sends the next request, now or as soon as a connection is free. */
  send(dueAtMs: number): void;
  /** Sends none of the requests that still wait for a connection. */
  giveUpWaiting(): void;
  /** Resolves when all requests are answered, given up or have failed, or after the timeout. */
  drained(timeoutMs: number): Promise<void>;
  /** The number of requests due from this moment on that are still unanswered, or have waited for a connection in vain. */
  left(fromMs: number): { readonly unanswered: number; readonly neverSent: number };
  close(): void;
}

function createSender(job: Job, answered: Answered, failed: Failed): Sender {
  const backlog: number[] = [];
  let firstWaiting = 0;
  /** After the last that may be sent; undefined while all may be. */
  let endOfWaiting: number | undefined;
  let unanswered = 0;
  let onDrained = (): void => {};
  const idle: Asker[] = [];
  const release = (asker: Asker): void => {
    unanswered--;
    const waiting = firstWaiting === endOfWaiting ? undefined : backlog[firstWaiting];
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
    giveUpWaiting: () => {
      endOfWaiting = firstWaiting;
      unanswered -= backlog.length - firstWaiting;
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
    left: (fromMs) => ({
      unanswered: askers.filter((asker) => (asker.awaitsSince() ?? Number.NEGATIVE_INFINITY) >= fromMs).length,
      neverSent: backlog.slice(firstWaiting).filter((dueMs) => dueMs >= fromMs).length,
    }),
    close: () => {
      for (const asker of askers) asker.close();
    },
  };
}

/** A connection that sends requests and reports when it is free again. */
interface Asker {
  /** Opens the connection with an uncounted request; resolves when that is answered or has failed. */
  connect(): Promise<void>;
  ask(dueAtMs: number): void;
  /** When the request that it awaits the answer to was due; undefined if it awaits none. */
  awaitsSince(): number | undefined;
  close(): void;
}

interface AskerEvents {
  readonly answered: Answered;
  readonly failed: Failed;
  /** The connection is free for another request. */
  readonly release: (asker: Asker) => void;
}

function createAskers(job: Job, { answered, failed, release }: AskerEvents): Asker[] {
  const url = new URL(job.url);
  const requestAt = encodeAsks(url, job);
  let next = job.startAt;
  return Array.from({ length: job.connections }, () => {
    let dueAtMs: number | undefined;
    let onConnected: (() => void) | undefined;
    /** Whether the finished request was the one that opened the connection; if so, resolves `connect`. */
    const wasFirst = (): boolean => {
      const connected = onConnected;
      onConnected = undefined;
      connected?.();
      return connected !== undefined;
    };
    /** Ends the request that was sent last, but for the one that opened the connection. */
    const finish = (tell: (dueMs: number) => void): void => {
      if (wasFirst() || dueAtMs === undefined) return;
      const dueMs = dueAtMs;
      dueAtMs = undefined;
      tell(dueMs);
      release(asker);
    };
    const connection = createConnection(url, job.keepAlive, {
      answered: (status, bytes) => finish((dueMs) => answered(status, bytes, dueMs)),
      failed: () => finish(failed),
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
      awaitsSince: () => dueAtMs,
      close: connection.close,
    };
    return asker;
  });
}
