import { describe, expect, it } from 'vitest';
import { alternate, median, ratioFigure } from '../../../bench/lib/rounds.js';

describe('medians and ratios', () => {
  it('takes the middle sample, or the mean of the two in the middle', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([9, 1, 5, 6])).toBe(5.5);
    expect(median([])).toBeNaN();
  });

  it('takes the median of the rounds’ ratios, not the ratio of the medians', () => {
    const { value, samples } = ratioFigure('a : b', [10, 2, 30], [5, 2, 10]);
    expect(samples).toEqual([2, 1, 3]);
    expect(value).toBe(2);
  });

  it('lets each contestant begin as often as the others, and discards the warm-ups', async () => {
    const order: string[] = [];
    let cost = 0;
    const contestant = <Name extends string>(name: Name) => ({
      name,
      run: () => {
        order.push(name);
        return cost++;
      },
    });
    const samples = await alternate([contestant('a'), contestant('b')], { rounds: 3, warmUps: 1 });
    expect(order.join('')).toBe('abbaabba');
    expect(samples).toEqual({ a: [3, 4, 7], b: [2, 5, 6] });
  });
});
