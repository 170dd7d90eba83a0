import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHitLog } from '../../../src/tallies/hit-log.js';

test('a log keeps what it is to keep in order, however its ring grows and wherever it begins', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add'), count: fc.integer({ min: 1, max: 40 }) }),
    fc.record({ kind: fc.constant('forget'), count: fc.integer({ min: 0, max: 40 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const log = createHitLog();
      let kept: number[] = [];
      let newest = 0;
      for (const { kind, count } of steps) {
        if (kind === 'add') {
          const added = Array.from({ length: count }, (_, turn) => newest + turn + 1);
          for (const atMs of added) log.add(atMs);
          kept.push(...added);
          newest += count;
        } else {
          const until = (kept[0] ?? 0) + count;
          log.forgetUntil(until);
          kept = kept.filter((atMs) => atMs > until);
        }
        expect([log.size(), log.oldest(), log.newest()]).toEqual([
          kept.length,
          kept[0] ?? Number.NaN,
          kept.at(-1) ?? Number.NaN,
        ]);
      }
      // One by one, the order within shows, too.
      for (const atMs of kept) {
        expect(log.oldest()).toBe(atMs);
        log.forgetUntil(atMs);
      }
    }),
  );
});
