import fc from 'fast-check';
import { expect, test } from 'vitest';
import { METRICS } from '../../src/core/metrics.js';
import { START } from '../../src/webhooks/delivery-records.js';
import { countEvents, type EventStream, openEventStream } from '../../src/webhooks/events/event-stream.js';
import { compileSelection } from '../../src/webhooks/events/selection.js';
import type { SubscriptionFilters, Threshold } from '../../src/webhooks/subscription.js';
import { type MadeUpChange, madeUpChanges } from '../support/made-up-changes.js';

const STATES = ['01', '11', '27'] as const;
const OPERATORS = ['>', '>=', '<', '<='] as const;
const WATCHABLE = METRICS.slice(0, 4);

const value = fc.constantFrom(Number.NaN, -1, 0, 1, 2, 3);
const values = fc.array(value, { minLength: WATCHABLE.length, maxLength: WATCHABLE.length });
const geoid = fc
  .tuple(fc.constantFrom(...STATES), fc.integer({ min: 1, max: 40 }))
  .map(([state, tract]) => Number(`${state}001${String(tract).padStart(6, '0')}`));
const changes = fc
  .uniqueArray(fc.record({ geoid, sections: fc.integer({ min: 1, max: 31 }), before: values, after: values }), {
    selector: (change) => change.geoid,
    maxLength: 40,
  })
  .map((list) => list.toSorted((one, other) => one.geoid - other.geoid));
const threshold = fc.record({ operator: fc.constantFrom(...OPERATORS), value: fc.integer({ min: -1, max: 3 }) });
const filters: fc.Arbitrary<SubscriptionFilters> = fc.record(
  {
    state_fips: fc.subarray([...STATES]),
    geoids: fc.array(
      geoid.map((number) => String(number).padStart(11, '0')),
      { maxLength: 20 },
    ),
    thresholds: fc.dictionary(fc.constantFrom(...WATCHABLE.map(({ path }) => path)), threshold),
  },
  { requiredKeys: [] },
);
const events = fc.subarray(['data.updated', 'threshold.exceeded'] as const, { minLength: 1 });

function isMet(number: number, { operator, value: bound }: Threshold): boolean {
  if (Number.isNaN(number)) return false;
  return { '>': number > bound, '>=': number >= bound, '<': number < bound, '<=': number <= bound }[operator];
}

/** What a subscription hears, tract by tract, as the contract says it. */
function naiveEvents(
  list: readonly MadeUpChange[],
  names: readonly string[],
  { state_fips = [], geoids = [], thresholds = {} }: SubscriptionFilters,
): string[] {
  return list.flatMap(({ geoid: number, before, after }) => {
    const text = String(number).padStart(11, '0');
    if (state_fips.length > 0 && !state_fips.includes(text.slice(0, 2))) return [];
    if (geoids.length > 0 && !geoids.includes(text)) return [];
    const updated = names.includes('data.updated') ? [`${text} data.updated`] : [];
    if (!names.includes('threshold.exceeded')) return updated;
    const exceeded = METRICS.flatMap(({ path }, metric) => {
      const condition = thresholds[path];
      const [was, is] = [before[metric] ?? Number.NaN, after[metric] ?? Number.NaN];
      return condition && !isMet(was, condition) && isMet(is, condition) ? [`${text} ${path}`] : [];
    });
    return [...updated, ...exceeded];
  });
}

test('a subscription hears exactly what its events and filters ask for, in order, and what was done is not told again', () => {
  fc.assert(
    fc.property(changes, events, filters, fc.nat(), (list, names, wanted, stop) => {
      const made = madeUpChanges(list);
      const selection = compileSelection(names, wanted);
      const nameOf = (stream: EventStream): string | undefined => {
        const due = stream.current();
        const text = String(list[due?.at ?? -1]?.geoid ?? '').padStart(11, '0');
        return due && `${text} ${due.exceeded?.path ?? 'data.updated'}`;
      };
      const drain = (stream: EventStream, most = Number.POSITIVE_INFINITY): string[] => {
        const heard: string[] = [];
        for (let name = nameOf(stream); name !== undefined && heard.length < most; name = nameOf(stream)) {
          heard.push(name);
          stream.advance();
        }
        return heard;
      };
      const expected = naiveEvents(list, names, wanted);
      expect(drain(openEventStream(made, selection, START))).toEqual(expected);
      const { updates, exceeded } = countEvents(made, selection);
      expect(updates + exceeded).toBe(expected.length);
      // Stopped anywhere, and gone on with from the position that was stored.
      const first = openEventStream(made, selection, START);
      const heard = drain(first, stop % (expected.length + 1));
      expect([...heard, ...drain(openEventStream(made, selection, first.position()))]).toEqual(expected);
    }),
  );
});

test('a position in a tract that is not among the changes any more is that of the next one, from its first event on', () => {
  const [first, second] = [10001040100, 10001040300];
  const list = [first, second].map((geoid) => ({ geoid, sections: 1, before: [1], after: [2] }));
  const stream = openEventStream(madeUpChanges(list), compileSelection(['data.updated'], {}), {
    geoid: 10001040200,
    eventsDone: 1,
  });
  expect(stream.current()?.at).toBe(1);
});
