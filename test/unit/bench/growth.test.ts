import { describe, expect, it } from 'vitest';
import { meetsTarget } from '../../../bench/lib/suite.js';
import { growthChart, growthFigures } from '../../../bench/soak/growth.js';

const MIB = 2 ** 20;
const looksAt = (privateMib: readonly (number | undefined)[]) =>
  privateMib.map((mib, seconds) => ({
    seconds,
    left: { privateBytes: mib === undefined ? undefined : mib * MIB, heapBytes: 20 * MIB },
  }));

describe('the growth of memory', () => {
  it('is counted in private memory and heap from when the service has settled', () => {
    const figures = growthFigures(looksAt([100, 130, 103]));
    expect(figures.map(({ value }) => value)).toEqual([100, 3, 0]);
    expect(growthChart(looksAt([100, 103])).series.map(({ name }) => name)).toEqual(['private', 'main heap']);
  });

  it('has no target for private memory on a system that does not report it', () => {
    const looks = looksAt([undefined, undefined]);
    expect(growthFigures(looks).map(({ name }) => name)).toEqual(['growth of the main heap']);
    expect(growthFigures(looks).map(meetsTarget)).toEqual([true]);
    expect(growthChart(looks).series.map(({ name }) => name)).toEqual(['main heap']);
  });
});
