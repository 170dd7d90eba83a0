import { setTimeout as delay } from 'node:timers/promises';
import { createConnection, encodeAsks } from './connection.js';
import type { Job, LoadResult } from './job.js';
import { createTally } from './tally.js';

/** How long after the end the last answers are awaited; they are not counted. */
const DRAIN_MS = 10_000;
/** The pause after a failed connection, so that a dead server is not retried as fast as it refuses connections. */
const RETRY_MS = 50;

/** Keeps every connection busy: each sends its next request as soon as the previous one is answered. */
export async function runClosedLoop(job: Job): Promise<LoadResult> {
  const url = new URL(job.url);
  const requestAt = encodeAsks(url, job);
  const tally = createTally();
  const startedAt = performance.now();
  const endsAt = startedAt + job.seconds * 1000;
  const workers = Array.from({ length: job.connections }, (_, index) => {
    let next = job.startAt + index;
    let sentAt = 0;
    return new Promise<void>((resolve) => {
      const ask = (): void => {
        sentAt = performance.now();
        if (sentAt >= endsAt) {
          connection.close();
          resolve();
          return;
        }
        connection.send(requestAt(next));
        next += job.connections;
      };
      const connection = createConnection(url, job.keepAlive, {
        answered: (status, bytes) => {
          const now = performance.now();
          if (now < endsAt) tally.answered(status, bytes, now - sentAt);
          ask();
        },
        failed: () => {
          tally.failed();
          setTimeout(ask, RETRY_MS);
        },
      });
      ask();
    });
  });
  const deadline = delay(job.seconds * 1000 + DRAIN_MS, undefined, { ref: false });
  await Promise.race([Promise.all(workers), deadline]);
  return tally.result(job.seconds);
}
