import { expect, test } from 'vitest';
import { createMessages } from '../../../src/webhooks/events/event-message.js';
import type { Subscription } from '../../../src/webhooks/subscription.js';
import { ALL_SECTIONS, madeUpChanges, valuesWith } from '../../support/made-up-changes.js';

const CHANGE_SET = { from: 'a'.repeat(32), to: 'b'.repeat(32), at: '2026-03-01T10:20:30.000+00:00' };
const SUBSCRIPTION: Subscription = {
  id: 7,
  url: 'https://example.org/',
  events: ['data.updated'],
  filters: {},
  active: true,
  created_at: '2026-01-01T00:00:00.000+00:00',
};
const CHANGES = madeUpChanges([
  { geoid: 1_001_020_100, sections: 0b01100, before: valuesWith({}), after: valuesWith({ poverty_rate: 20.5 }) },
  { geoid: 27_053_026_200, sections: ALL_SECTIONS, before: valuesWith({ poverty_rate: 3 }), after: valuesWith({}) },
]);
const WATCHED = { metric: 2, path: 'poverty_rate', operator: '>=', value: 20 } as const;

const messageOf = createMessages(CHANGE_SET, SUBSCRIPTION, CHANGES);

test('data.updated has exactly the contract’s fields', () => {
  const { event, geoid, body } = messageOf({ at: 0, exceeded: undefined });
  expect([event, geoid]).toEqual(['data.updated', '01001020100']);
  expect(JSON.parse(body)).toEqual({
    event: 'data.updated',
    timestamp: '2026-03-01T10:20:30.000+00:00',
    data: { state_fips: '01', geoid: '01001020100', updated_fields: ['places_measures', 'epa_data'] },
  });
  expect(JSON.parse(messageOf({ at: 1, exceeded: undefined }).body).data.updated_fields).toEqual([
    'demographics',
    'svi_themes',
    'places_measures',
    'epa_data',
    'sdoh_index',
  ]);
});

test('threshold.exceeded has exactly the contract’s fields; what was unknown before is null', () => {
  const { event, body } = messageOf({ at: 0, exceeded: WATCHED });
  expect(event).toBe('threshold.exceeded');
  expect(JSON.parse(body)).toEqual({
    event: 'threshold.exceeded',
    timestamp: '2026-03-01T10:20:30.000+00:00',
    data: {
      state_fips: '01',
      geoid: '01001020100',
      metric: 'poverty_rate',
      operator: '>=',
      threshold: 20,
      previous_value: null,
      value: 20.5,
    },
  });
  expect(JSON.parse(messageOf({ at: 1, exceeded: WATCHED }).body).data).toMatchObject({ previous_value: 3 });
});

test('an event has one id whenever it is made, and no other event has it', () => {
  const again = createMessages({ ...CHANGE_SET }, { ...SUBSCRIPTION }, CHANGES);
  const due = [
    { at: 0, exceeded: undefined },
    { at: 0, exceeded: WATCHED },
    { at: 1, exceeded: undefined },
  ];
  const ids = due.map((event) => messageOf(event).webhookId);
  expect(due.map((event) => again(event).webhookId)).toEqual(ids);
  const others = [
    createMessages({ ...CHANGE_SET, at: '2026-03-02T10:20:30.000+00:00' }, SUBSCRIPTION, CHANGES),
    createMessages({ ...CHANGE_SET, from: null }, SUBSCRIPTION, CHANGES),
    createMessages(CHANGE_SET, { ...SUBSCRIPTION, id: 8 }, CHANGES),
    createMessages(CHANGE_SET, { ...SUBSCRIPTION, created_at: '2026-02-01T00:00:00.000+00:00' }, CHANGES),
  ].flatMap((make) => due.map((event) => make(event).webhookId));
  expect(new Set([...ids, ...others]).size).toBe(ids.length + others.length);
  for (const id of ids) expect(id).toMatch(/^msg_[0-9a-f]{32}$/);
});
