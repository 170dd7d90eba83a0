import { describe, expect, it } from 'vitest';
import type { LoadResult } from '../../../bench/client/job.js';
import type { LoadClient } from '../../../bench/client/load-client.js';
import { measureHalf } from '../../../bench/http/fixed-rate.js';
import { latenciesAtHalf } from '../../../bench/http/fixed-rate-figures.js';
import { streamOf } from '../../../bench/http/sample.js';
import { createHistogram } from '../../../bench/lib/histogram.js';
import { WrongAnswerError } from '../../../bench/lib/suite.js';

/** A server that does so many a second and gives what is beyond it this status. */
function clientOf(capacity: () => number, statusBeyond = '503') {
  const rates: number[] = [];
  const client: LoadClient = {
    run: async (job): Promise<LoadResult> => {
      const { seconds } = job;
      const ratePerSecond = job.kind === 'open' ? job.ratePerSecond : 0;
      rates.push(ratePerSecond);
      const answers = ratePerSecond * seconds;
      const beyond = Math.max(0, answers - capacity() * seconds);
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

const line = {
  name: 'a line',
  server: { url: 'http://127.0.0.1:1', headers: {}, stop: async () => {} },
  stream: streamOf([{ method: 'GET', path: '/' }]),
};

describe('half of the maximum rate', () => {
  it('is measured anew if the machine has become slower by more than half', async () => {
    const maxima = [1000, 300];
    const { client, rates } = clientOf(() => 300);
    const found = await measureHalf(client, line, {
      bare: undefined,
      findMaximum: async () => [maxima.shift() ?? 0],
      seconds: 1,
    });
    expect(found.maximum).toEqual([300]);
    expect(rates[0]).toBe(500);
    expect(new Set(rates.slice(1))).toEqual(new Set([150]));
    // Not among them: the refused sample and the two warm-ups.
    expect(found.atHalf.service.length).toBe(rates.length - 3);
    expect(found.atHalf.service.every(({ answers, statuses }) => answers === 150 && statuses['200'] === 150)).toBe(
      true,
    );
  });

  it('reports the number of refused requests if the server keeps refusing', async () => {
    const { client, rates } = clientOf(() => 10);
    const found = await measureHalf(client, line, { bare: undefined, findMaximum: async () => [100], seconds: 1 });
    expect(new Set(rates)).toEqual(new Set([50]));
    const figures = latenciesAtHalf('a line', found.atHalf, {});
    expect(figures.find(({ name }) => name === 'a line: refused at half of it')).toMatchObject({
      value: 80,
      target: { sign: '≤', bound: 0 },
    });
  });

  it('fails at once if answers are wrong', async () => {
    const { client, rates } = clientOf(() => 10, '500');
    const asked = measureHalf(client, line, { bare: undefined, findMaximum: async () => [100], seconds: 1 });
    await expect(asked).rejects.toThrow(WrongAnswerError);
    expect(rates).toEqual([50]);
  });
});
