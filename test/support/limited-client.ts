import type { LoadResult } from '../../bench/client/job.js';
import type { LoadClient } from '../../bench/client/load-client.js';
import { streamOf } from '../../bench/http/sample.js';
import { createHistogram } from '../../bench/lib/histogram.js';

/**
 * The client of a made-up server that does `capacity()` requests a second during a sample, and gives what is beyond it this
 * status.
 */
export function limitedClient(capacity: () => number, statusBeyond = '503') {
  /** Of each sample, in order. */
  const rates: number[] = [];
  const client: LoadClient = {
    run: async (job): Promise<LoadResult> => {
      const { seconds } = job;
      const perSecond = capacity();
      const ratePerSecond = job.kind === 'open' ? job.ratePerSecond : perSecond;
      rates.push(ratePerSecond);
      const answers = ratePerSecond * seconds;
      const beyond = Math.max(0, answers - perSecond * seconds);
      return {
        answers,
        seconds,
        statuses: { '200': answers - beyond, ...(beyond > 0 && { [statusBeyond]: beyond }) },
        failures: 0,
        neverSent: 0,
        bytes: 0,
        latencies: createHistogram().counts(),
      };
    },
    stop: async () => {},
  };
  return { client, rates };
}

export const madeUpLine = {
  name: 'a line',
  server: { url: 'http://127.0.0.1:1', headers: {}, stop: async () => {} },
  stream: streamOf([{ method: 'GET', path: '/' }]),
};
