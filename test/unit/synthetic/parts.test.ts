import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/load/synthetic/random.js';
import { normalShareBelow } from '../../../src/load/synthetic/scales.js';
import { tractCodes } from '../../../src/load/synthetic/tract-codes.js';

const take = (count: number, seed: number, stream: string): number[] => {
  const random = createRandom(seed, stream);
  return Array.from({ length: count }, () => random.next());
};

describe('createRandom', () => {
  it('gives the same numbers for the same seed and stream, others for others', () => {
    expect(take(5, 1, 'a')).toEqual(take(5, 1, 'a'));
    expect(take(5, 2, 'a')).not.toEqual(take(5, 1, 'a'));
    expect(take(5, 1, 'b')).not.toEqual(take(5, 1, 'a'));
  });

  it('is uniform: each tenth of the range holds about a tenth of the numbers', () => {
    const tenths = new Array<number>(10).fill(0);
    for (const value of take(100_000, 7, 'uniform'))
      tenths[Math.floor(value * 10)] = (tenths[Math.floor(value * 10)] ?? 0) + 1;
    for (const count of tenths) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  });

  it('gives standard normal numbers', () => {
    const random = createRandom(7, 'normal');
    const values = Array.from({ length: 100_000 }, () => random.normal());
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(mean).toBeCloseTo(0, 1);
    expect(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length).toBeCloseTo(1, 1);
  });
});

describe('normalShareBelow', () => {
  it('agrees with tables of the normal distribution', () => {
    for (const [value, share] of [
      [0, 0.5],
      [1, 0.841345],
      [-1, 0.158655],
      [1.959964, 0.975],
      [-3, 0.00135],
    ] as const) {
      expect(normalShareBelow(value)).toBeCloseTo(share, 5);
    }
  });
});

describe('tractCodes', () => {
  it('numbers tracts in hundreds in a small county, and from 980000 on if nobody lives there', () => {
    expect(tractCodes([false, true, false, true])).toEqual(['000100', '980000', '000200', '980100']);
  });

  it('are six digits and different from each other in the largest county', () => {
    const codes = tractCodes(Array.from({ length: 2498 }, (_, index) => index % 300 === 7));
    expect(new Set(codes).size).toBe(2498);
    for (const code of codes) expect(code).toMatch(/^\d{6}$/);
    expect(codes.some((code) => code.endsWith('02'))).toBe(true);
  });
});
