import { describe, expect, it } from 'vitest';
import { quantize } from '../../../src/core/coordinates.js';
import { internalPoint } from '../../../src/load/outlines/internal-point.js';
import { naiveLocate } from '../../support/naive-locate.js';

const box = (west: number, south: number, east: number, north: number): Int32Array =>
  Int32Array.of(west, south, west, north, east, north, east, south, west, south);

describe('internalPoint', () => {
  it.each([
    ['a square', [box(0, 0, 1e7, 1e7)]],
    ['a ring around a hole in its middle', [box(0, 0, 1e7, 1e7), box(2e6, 2e6, 8e6, 8e6)]],
    ['a large part and a small one', [box(0, 0, 100, 100), box(-1.79e9, 5e8, -1.78e9, 5.1e8)]],
    [
      'parts on both sides of the antimeridian',
      [box(1.79e9, 5.2e8, 1.8e9, 5.3e8), box(-1.8e9, 5.2e8, -1.792e9, 5.3e8)],
    ],
    ['a U', [Int32Array.of(0, 0, 0, 1e6, 1e5, 1e6, 1e5, 1e5, 9e5, 1e5, 9e5, 1e6, 1e6, 1e6, 1e6, 0, 0, 0)]],
  ])('lies within %s', (_, rings) => {
    const { lat, lng } = internalPoint(rings);
    expect(naiveLocate([rings], quantize(lng), quantize(lat))).toBe(0);
  });

  it('is the middle of a square', () => {
    const { lat, lng } = internalPoint([box(-95e7, 45e7, -94e7, 46e7)]);
    expect(lat).toBeCloseTo(45.5, 6);
    expect(lng).toBe(-94.5);
  });
});
