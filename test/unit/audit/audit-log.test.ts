import { expect, test } from 'vitest';
import { auditAround, readAudit, recordAudit } from '../../../src/audit/audit-log.js';
import { openState } from '../../../src/state/open-state.js';
import type { StateStore } from '../../../src/state/store.js';
import { ACTOR } from '../../support/keys.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const AT = new Date('2026-03-01T12:00:00.000Z');
const facts = { actor: ACTOR, action: 'datasets.reload', target: null };
const newest = async (state: StateStore) => (await state.read((view) => readAudit(view, { limit: 1 })))[0];

test('the log is read from its newest entry on, page by page', async () => {
  const state = await openState(temporaryDirectory());
  for (let entry = 1; entry <= 5; entry++) {
    await state.transact((transaction) => recordAudit(transaction, { ...facts, before: null, after: { entry } }, AT));
  }
  const first = await state.read((view) => readAudit(view, { limit: 2 }));
  const rest = await state.read((view) => readAudit(view, { before: first[1]?.id ?? 0, limit: 10 }));
  expect([...first, ...rest].map(({ id }) => id)).toEqual([5, 4, 3, 2, 1]);
  expect(first[0]).toEqual({
    ...facts,
    id: 5,
    at: AT.toISOString(),
    outcome: 'done',
    before: null,
    after: { entry: 5 },
  });
  await state.close();
});

test('an entry of a transaction that fails is not in the log', async () => {
  const state = await openState(temporaryDirectory());
  const failing = state.transact((transaction) => {
    recordAudit(transaction, { ...facts, before: null, after: null }, AT);
    throw new Error('refused');
  });
  await expect(failing).rejects.toThrow('refused');
  expect(await newest(state)).toBeUndefined();
  await state.close();
});

test('a change outside of the state is in the log before it begins, and then with its end', async () => {
  const state = await openState(temporaryDirectory());
  const result = await auditAround({ state, now: () => AT }, facts, async () => {
    expect(await newest(state)).toMatchObject({ outcome: 'started', after: null });
    return { result: 7, before: { live: 'a' }, after: { live: 'b' } };
  });
  expect(result).toBe(7);
  expect(await newest(state)).toMatchObject({ id: 1, outcome: 'done', before: { live: 'a' }, after: { live: 'b' } });
  const failing = auditAround({ state, now: () => AT }, facts, () => Promise.reject(new Error('damaged')));
  await expect(failing).rejects.toThrow('damaged');
  expect(await newest(state)).toMatchObject({ id: 2, outcome: 'failed', after: { error: 'Error' } });
  await state.close();
});
