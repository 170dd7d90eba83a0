import { blockThread } from '../../src/platform/block-thread.js';
import { type Answered, createConnectionPool } from './connection-pool.js';
import type { LoadResult, OpenJob } from './job.js';
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
export async function runOpenLoop(job: OpenJob, watch?: StallWatch, drainMs = DRAIN_MS): Promise<LoadResult> {
  const perMillisecond = job.ratePerSecond / 1000;
  const leadInMs = job.leadInSeconds * 1000;
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
  const pool = createConnectionPool(job, answered, (dueMs) => {
    if (dueMs >= countsFrom) tally.failed();
  });
  if (job.keepAlive) await pool.connect(drainMs);
  // Collects the garbage of encoding the requests now, not while latencies are measured.
  globalThis.gc?.();
  await watch?.take();
  const startedAt = performance.now();
  countsFrom = startedAt + leadInMs;
  await sendAtRate({ total, perMillisecond, startedAt }, pool.send);
  await pool.drained(drainMs);
  // What still waits for a connection is given up; what has been sent may yet be answered.
  pool.giveUpWaiting();
  await pool.drained(drainMs);
  const stalls = await watch?.take();
  const left = pool.left(countsFrom);
  tally.failed(left.unanswered);
  tally.neverSent(left.neverSent);
  pool.close();
  return { ...tally.result(job.seconds), ...(stalls && { undisturbed: withoutStalls(answers, stalls) }) };
}

interface Schedule {
  /** The number of requests. */
  readonly total: number;
  readonly perMillisecond: number;
  /** When the first one is due, on the clock of `performance.now()`. */
  readonly startedAt: number;
}

/** Sends each request when it is due; resolves when the last one has been. */
function sendAtRate({ total, perMillisecond, startedAt }: Schedule, send: (dueAtMs: number) => void): Promise<void> {
  return new Promise((resolve) => {
    let due = 0;
    const step = (): void => {
      const elapsedMs = performance.now() - startedAt;
      for (; due < total && due / perMillisecond <= elapsedMs; due++) send(startedAt + due / perMillisecond);
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
}
