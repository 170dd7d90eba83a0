import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, createConnection, encodeAsks } from './connection.js';
import type { ClosedJob, LoadResult } from './job.js';
import { createTally } from './tally.js';

/** How long after the end the last answers are awaited. They are not counted; requests then unanswered are failures. */
const DRAIN_MS = 10_000;
/** The pause after a failed connection, so that a dead server is not retried as fast as it refuses connections. */
const RETRY_MS = 50;

/**
 * Keeps every connection busy: each sends its next request as soon as the previous one is answered. `drainMs` is for tests,
 * which need not wait as long.
 */
export async function runClosedLoop(job: ClosedJob, drainMs = DRAIN_MS): Promise<LoadResult> {
  const url = new URL(job.url);
  const requestAt = encodeAsks(url, job);
  const tally = createTally();
  const startedAt = performance.now();
  const endsAt = startedAt + job.seconds * 1000;
  /** The connections that await an answer. */
  const waiting = new Set<Connection>();
  let next = job.startAt;
  const workers = Array.from({ length: job.connections }, () => {
    let sentAt = 0;
    return new Promise<void>((resolve) => {
      const ask = (): void => {
        sentAt = performance.now();
        if (sentAt >= endsAt) {
          connection.close();
          resolve();
          return;
        }
        waiting.add(connection);
        // One count for all: whatever their speeds, together they take the requests from `startAt` on without a gap.
        connection.send(requestAt(next++));
      };
      const connection = createConnection(url, job.keepAlive, {
        answered: (status, bytes) => {
          waiting.delete(connection);
          const now = performance.now();
          if (now < endsAt) tally.answered(status, bytes, now - sentAt);
          ask();
        },
        failed: () => {
          waiting.delete(connection);
          tally.failed();
          setTimeout(ask, RETRY_MS);
        },
      });
      ask();
    });
  });
  const deadline = delay(job.seconds * 1000 + drainMs, undefined, { ref: false });
  await Promise.race([Promise.all(workers), deadline]);
  tally.failed(waiting.size);
  for (const connection of waiting) connection.close();
  return tally.result(job.seconds);
}
