import autocannon from 'autocannon';
import type { Ask, ClosedJob, LoadResult } from './job.js';
import { askAt } from './laps.js';
import { createTally } from './tally.js';

/** More requests than autocannon can send in a second: it repeats its list of requests once it reaches the end. */
const MOST_PER_SECOND = 40_000;

/**
 * How long autocannon waits for an answer. It also cannot read one while it prepares the other connections' requests, which
 * can take it longer on a slow machine than the ten seconds that it waits by default.
 */
const ANSWER_MAX_SECONDS = 60;

/**
 * A closed loop by autocannon. Each connection gets its own requests; by default all of them would send the same requests
 * in the same order.
 */
export async function runAutocannon(job: ClosedJob): Promise<LoadResult> {
  const tally = createTally();
  const { asks, connections, startAt } = job;
  let opened = 0;
  const ownAsks = (): Ask[] => {
    const first = startAt + opened++;
    const count = Math.ceil(Math.max(asks.length, job.seconds * MOST_PER_SECOND) / connections);
    return Array.from({ length: count }, (_, turn) => askAt(asks, first + turn * connections));
  };
  // Before it emits 'start', autocannon is still preparing its requests, and the time does not run yet.
  let endsAt = Number.POSITIVE_INFINITY;
  await new Promise<void>((resolve, reject) => {
    const instance = autocannon(
      {
        url: job.url,
        connections,
        duration: job.seconds,
        sampleInt: 100,
        timeout: ANSWER_MAX_SECONDS,
        headers: { ...job.headers },
        ...(job.keepAlive ? {} : { reconnectRate: 1 }),
        setupClient: (client) => client.setRequests(ownAsks()),
      },
      (error) => (error ? reject(error) : resolve()),
    );
    instance.on('start', () => {
      endsAt = performance.now() + job.seconds * 1000;
    });
    instance.on('response', (_client, status, bytes, milliseconds) => {
      if (performance.now() < endsAt) tally.answered(Number(status), bytes, milliseconds);
    });
    instance.on('reqError', () => tally.failed());
  });
  return tally.result(job.seconds);
}
