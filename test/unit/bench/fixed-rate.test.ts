import { describe, expect, it } from 'vitest';
import { measureHalf } from '../../../bench/http/fixed-rate.js';
import { latenciesAtHalf } from '../../../bench/http/fixed-rate-figures.js';
import { WrongAnswerError } from '../../../bench/lib/suite.js';
import { limitedClient, madeUpLine as line } from '../../support/limited-client.js';

describe('half of the maximum rate', () => {
  it('is measured anew if the machine has become slower by more than half', async () => {
    const maxima = [1000, 300];
    const { client, rates } = limitedClient(() => 300);
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
    const { client, rates } = limitedClient(() => 10);
    const found = await measureHalf(client, line, { bare: undefined, findMaximum: async () => [100], seconds: 1 });
    expect(new Set(rates)).toEqual(new Set([50]));
    const figures = latenciesAtHalf('a line', found.atHalf, {});
    expect(figures.find(({ name }) => name === 'a line: refused at half of it')).toMatchObject({
      value: 80,
      target: { sign: '≤', bound: 0 },
    });
  });

  it('is not asked for if nothing was answered: the client would have no request to send', async () => {
    const { client, rates } = limitedClient(() => 0);
    const asked = measureHalf(client, line, { bare: undefined, findMaximum: async () => [0], seconds: 1 });
    await expect(asked).rejects.toThrow(
      'nothing was answered within a sample, so that no rate is known: use more --sec',
    );
    expect(rates).toEqual([]);
  });

  it('fails at once if answers are wrong', async () => {
    const { client, rates } = limitedClient(() => 10, '500');
    const asked = measureHalf(client, line, { bare: undefined, findMaximum: async () => [100], seconds: 1 });
    await expect(asked).rejects.toThrow(WrongAnswerError);
    expect(rates).toEqual([50]);
  });
});
