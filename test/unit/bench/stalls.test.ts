import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedProcessors, startStallWatch } from '../../../bench/client/stall-watch.js';
import { type Stall, wallMs, withoutStalls } from '../../../bench/client/stalls.js';
import { createHistogram } from '../../../bench/lib/histogram.js';

/** Answers that were due at these moments, each of which took as many milliseconds as its position. */
function answersDueAt(dueMs: readonly number[]) {
  return {
    dueMs: Float64Array.from(dueMs),
    latencyMs: Float64Array.from(dueMs, (_, index) => index),
    count: dueMs.length,
  };
}

describe('latencies without the machine’s stalls', () => {
  it('leave out requests due just before or during a stall, and for as long after it', () => {
    const { latencies, share } = withoutStalls(answersDueAt([98, 99.5, 105, 119, 121]), [{ fromMs: 100, toMs: 110 }]);
    const kept = createHistogram(latencies);
    expect(kept.count()).toBe(2);
    expect(share).toBe(2 / 5);
    // The first took 0 ms, the last 4.
    expect(kept.percentile(0)).toBe(0);
    expect(kept.percentile(1)).toBeGreaterThanOrEqual(4000);
  });

  it('keep slow answers that no stall explains', () => {
    const slow = { dueMs: Float64Array.of(50), latencyMs: Float64Array.of(1000), count: 1 };
    expect(withoutStalls(slow, [{ fromMs: 500, toMs: 510 }]).share).toBe(1);
  });

  it('are those of a naive check of every stall, however the stalls overlap', () => {
    const stall = fc
      .tuple(fc.integer({ max: 1000, min: 0 }), fc.integer({ max: 50, min: 1 }))
      .map(([fromMs, lastedMs]): Stall => ({ fromMs, toMs: fromMs + lastedMs }));
    fc.assert(
      fc.property(fc.array(stall), fc.array(fc.integer({ max: 1200, min: -10 })), (stalls, due) => {
        const touched = (at: number): boolean =>
          stalls.some(({ fromMs, toMs }) => at >= fromMs - 1 && at <= toMs + (toMs - fromMs));
        const kept = due.filter((at) => !touched(at)).length;
        expect(createHistogram(withoutStalls(answersDueAt(due), stalls).latencies).count()).toBe(kept);
      }),
    );
  });
});

describe('the watch for stalls', () => {
  it.each([
    ['0-3', [0, 1, 2, 3]],
    ['2', [2]],
    ['1,4-5,8', [1, 4, 5, 8]],
  ])('watches the processors %s that it may run on, not as many from the first on', (list, processors) => {
    expect(allowedProcessors(`Cpus_allowed:\tff\nCpus_allowed_list:\t${list}\nMems_allowed:\t1\n`)).toEqual(processors);
  });

  it('finds no processors if none are listed', () => {
    expect(allowedProcessors('Name:\tnode\n')).toEqual([]);
  });

  it('returns each stall once, on the machine’s clock, or nothing if it is not permitted to watch', async () => {
    const beganMs = wallMs();
    const watch = await startStallWatch(join(import.meta.dirname, '../../../dist/bench/client/stall-watch-main.js'));
    await delay(200);
    const stalls = await watch.take();
    const again = await watch.take();
    // Without the right to a real-time priority, and beyond Linux, nothing is known.
    expect(again === undefined).toBe(stalls === undefined);
    const endedMs = wallMs();
    for (const { fromMs, toMs } of stalls ?? []) {
      expect(fromMs).toBeGreaterThan(beganMs - 1);
      expect(toMs).toBeGreaterThan(fromMs);
      expect(toMs).toBeLessThan(endedMs + 1);
    }
    const told = new Set((stalls ?? []).map((stall) => JSON.stringify(stall)));
    expect((again ?? []).filter((stall) => told.has(JSON.stringify(stall)))).toEqual([]);
  });
});
