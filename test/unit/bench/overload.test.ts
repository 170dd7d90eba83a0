import { expect, it } from 'vitest';
import type { LoadResult } from '../../../bench/client/job.js';
import { createHistogram } from '../../../bench/lib/histogram.js';
import { measureOverload, overloadFigures } from '../../../bench/soak/overload.js';
import { limitedClient, madeUpLine } from '../../support/limited-client.js';

const result = (counts: Partial<LoadResult>): LoadResult => ({
  answers: 0,
  seconds: 1,
  statuses: {},
  failures: 0,
  neverSent: 0,
  bytes: 0,
  latencies: createHistogram().counts(),
  ...counts,
});

it('an overloaded service is charged with unanswered requests, not with those never sent', () => {
  const overloaded = result({ statuses: { 200: 5, 503: 4, 500: 2 }, failures: 3, neverSent: 7 });
  const figures = overloadFigures(result({}), overloaded);
  const shown = (text: string) => figures.find(({ name }) => name.includes(text))?.value;
  expect(shown('other statuses, or no answer')).toBe(5);
  expect(shown('never sent')).toBe(7);
});

it('the maximum is measured anew if the machine has become slower by more than half', async () => {
  let samples = 0;
  // Five samples of the maximum rate, then a machine at a third of its speed.
  const { client, rates } = limitedClient(() => (samples++ < 5 ? 900 : 300));
  const { figures } = await measureOverload(client, madeUpLine, { sampleSeconds: 1, overloadSeconds: 1 });
  expect(rates).toEqual([900, 900, 900, 900, 900, 450, 300, 300, 300, 300, 300, 150, 600]);
  expect(figures.find(({ name }) => name.endsWith('maximum rate'))?.value).toBe(300);
});
