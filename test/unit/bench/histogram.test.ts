import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketBounds, createHistogram } from '../../../bench/lib/histogram.js';
import { evenly } from '../../support/evenly.js';

const microseconds = fc.integer({ min: 0, max: 3_600_000_000 });

describe('the latency histogram', () => {
  it('gives every percentile within 0.8% above the true one, and never below it', () => {
    fc.assert(
      fc.property(fc.array(microseconds, { minLength: 1, maxLength: 200 }), evenly(0, 1), (all, share) => {
        const histogram = createHistogram();
        for (const latency of all) histogram.record(latency);
        const sorted = all.toSorted((a, b) => a - b);
        const exact = sorted[Math.max(1, Math.ceil(share * all.length)) - 1] ?? Number.NaN;
        const found = histogram.percentile(share);
        expect(found).toBeGreaterThanOrEqual(exact);
        expect(found).toBeLessThanOrEqual(exact * (1 + 1 / 127));
      }),
    );
  });

  it('is the same after it was serialized and added up elsewhere', () => {
    fc.assert(
      fc.property(fc.array(microseconds), fc.array(microseconds), (first, second) => {
        const [one, other, all] = [createHistogram(), createHistogram(), createHistogram()];
        for (const latency of first) one.record(latency);
        for (const latency of second) other.record(latency);
        for (const latency of [...first, ...second]) all.record(latency);
        one.add(other.counts());
        expect(one.counts()).toEqual(all.counts());
        expect(createHistogram(all.counts()).count()).toBe(first.length + second.length);
      }),
    );
  });

  it('has buckets that touch without a gap', () => {
    for (let bucket = 1; bucket < 3200; bucket++) {
      expect(bucketBounds(bucket).from).toBe(bucketBounds(bucket - 1).to + 1);
    }
  });

  it('has no percentile if nothing was recorded', () => {
    expect(createHistogram().percentile(0.99)).toBeNaN();
  });
});
