import autocannon from 'autocannon';
import type { Ask, Job, LoadResult } from './job.js';
import { askAt } from './laps.js';
import { createTally } from './tally.js';

/** More than it can ask in a second: what it is given to ask, it asks again when it is through. */
const MOST_PER_SECOND = 40_000;

/** A closed loop by autocannon. Its connections would all ask the same in the same order: each gets requests of its own. */
export async function runAutocannon(job: Job): Promise<LoadResult> {
  const tally = createTally();
  const { asks, connections, startAt } = job;
  let opened = 0;
  const ownAsks = (): Ask[] => {
    const first = startAt + opened++;
    const count = Math.ceil(Math.max(asks.length, job.seconds * MOST_PER_SECOND) / connections);
    return Array.from({ length: count }, (_, turn) => askAt(asks, first + turn * connections));
  };
  // Until autocannon says that it has started, it makes its requests.
  let endsAt = Number.POSITIVE_INFINITY;
  await new Promise<void>((resolve, reject) => {
    const instance = autocannon(
      {
        url: job.url,
        connections,
        duration: job.seconds,
        sampleInt: 100,
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
