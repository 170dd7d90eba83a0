import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { auditAround, ownActor, readAudit, recordAudit } from '../../../src/audit/audit-log.js';
import { auditReload } from '../../../src/audit/audit-reload.js';
import { boundAudit, pruneAudit } from '../../../src/audit/bound-audit.js';
import { CatalogError } from '../../../src/catalog/directory/catalog-error.js';
import { openState } from '../../../src/state/open-state.js';
import type { StateStore } from '../../../src/state/store.js';
import { eventually } from '../../support/eventually.js';
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

test('the reason of a failure is in the log if it is about files alone', async () => {
  const state = await openState(temporaryDirectory());
  const failing = (error: Error) => auditAround({ state, now: () => AT }, facts, () => Promise.reject(error));
  await expect(failing(new CatalogError('damaged', 'tracts.tctx is cut off'))).rejects.toThrow('cut off');
  expect((await newest(state))?.after).toEqual({ error: 'damaged', reason: 'tracts.tctx is cut off' });
  await expect(failing(new Error('whatever it holds'))).rejects.toThrow('whatever');
  expect((await newest(state))?.after).toEqual({ error: 'Error' });
  await state.close();
});

test('a failure that is no error is in the log by its type', async () => {
  const state = await openState(temporaryDirectory());
  const thrown = auditAround({ state, now: () => AT }, facts, () => Promise.reject('a text'));
  await expect(thrown).rejects.toBe('a text');
  expect(await newest(state)).toMatchObject({ outcome: 'failed', after: { error: 'string' } });
  await state.close();
});

test('a failed change is reported with its own reason, even if the log can no longer be written', async () => {
  const state = await openState(temporaryDirectory());
  const failing = auditAround({ state, now: () => AT }, facts, async () => {
    await state.close();
    throw new Error('damaged');
  });
  await expect(failing).rejects.toThrow('damaged');
});

test('a change that has been made is not denied, even if its end can no longer be stored', async () => {
  const directory = temporaryDirectory();
  const state = await openState(directory);
  const result = await auditAround({ state, now: () => AT }, facts, async () => {
    await state.close();
    return { result: 7, before: null, after: null };
  });
  expect(result).toBe(7);
  const reopened = await openState(directory);
  expect(await newest(reopened)).toMatchObject({ outcome: 'started' });
  await reopened.close();
});

const note = (state: StateStore, count: number) =>
  state.transact((transaction) => {
    for (let at = 0; at < count; at++) recordAudit(transaction, { ...facts, before: null, after: null }, AT);
  });
const numbers = async (state: StateStore) =>
  (await state.read((view) => readAudit(view, { limit: 2000 }))).map(({ id }) => id);

test('the log keeps its newest entries, as many as it may, and gives no number again', async () => {
  const state = await openState(temporaryDirectory());
  await note(state, 1000);
  const transactions = vi.spyOn(state, 'transact');
  expect(await pruneAudit(state, 300)).toBe(700);
  // Small ones, so that a maintainer who waits for one does not wait for all.
  expect(transactions.mock.calls.length).toBeGreaterThanOrEqual(4);
  expect(await numbers(state)).toEqual(Array.from({ length: 300 }, (_, at) => 1000 - at));
  await note(state, 1);
  expect((await numbers(state)).slice(0, 2)).toEqual([1001, 1000]);
  await state.close();
});

test('an interrupted prune leaves no gap because the oldest entries are removed first', async () => {
  const state = await openState(temporaryDirectory());
  await note(state, 1000);
  const { transact } = state;
  vi.spyOn(state, 'transact').mockImplementationOnce(transact).mockRejectedValueOnce(new Error('no state'));
  await expect(pruneAudit(state, 300)).rejects.toThrow('no state');
  const left = await numbers(state);
  expect(left.length).toBeGreaterThan(300);
  expect(left).toEqual(Array.from(left, (_, at) => 1000 - at));
  await pruneAudit(state, 300);
  expect(await numbers(state)).toEqual(Array.from({ length: 300 }, (_, at) => 1000 - at));
  await state.close();
});

test('a log within its bound is not written to', async () => {
  const state = await openState(temporaryDirectory());
  const transactions = vi.spyOn(state, 'transact');
  expect(await pruneAudit(state, 300)).toBe(0);
  await note(state, 300);
  expect(await pruneAudit(state, 300)).toBe(0);
  expect(transactions).toHaveBeenCalledOnce();
  await state.close();
});

test('the log is trimmed at start and later again, and failures of the state are reported', async () => {
  const state = await openState(temporaryDirectory());
  await note(state, 5);
  const onError = vi.fn();
  const stop = boundAudit({ state, maxEntries: 3, onError, intervalMs: 1 });
  await eventually(async () => expect(await numbers(state)).toEqual([5, 4, 3]));
  await note(state, 1);
  await eventually(async () => expect(await numbers(state)).toEqual([6, 5, 4]));
  expect(onError).not.toHaveBeenCalled();
  vi.spyOn(state, 'read').mockRejectedValueOnce(new Error('no state'));
  await eventually(() => expect(onError).toHaveBeenCalledOnce());
  await stop();
  await state.close();
});

test('the log is trimmed at start, not only when the first interval has passed', async () => {
  const state = await openState(temporaryDirectory());
  await note(state, 5);
  const intervals = vi.spyOn(globalThis, 'clearInterval');
  onTestFinished(() => intervals.mockRestore());
  await boundAudit({ state, maxEntries: 3, onError: vi.fn(), intervalMs: 3_600_000 })();
  expect(intervals).toHaveBeenCalledOnce();
  expect(await numbers(state)).toEqual([5, 4, 3]);
  await state.close();
});

describe('a reload is in the log with what was live before and after', () => {
  test.each([
    ['of another generation', { from: 'a', to: 'b', changed: true }, { live: 'a' }, { live: 'b', changed: true }],
    ['of the first one', { from: null, to: 'b', changed: true }, null, { live: 'b', changed: true }],
    [
      'that withdrew a publication while nothing was live',
      { from: null, to: 'a', changed: true, withdrawn: 'b' },
      { live: null, published: 'b' },
      { live: 'a', published: 'a', changed: true },
    ],
    [
      'that withdrew a publication',
      { from: 'a', to: 'a', changed: false, withdrawn: 'b' },
      { live: 'a', published: 'b' },
      { live: 'a', published: 'a', changed: false },
    ],
    [
      'that mended what names the published one',
      { from: 'a', to: 'a', changed: false, withdrawn: null, mended: true },
      { live: 'a', published: null },
      { live: 'a', published: 'a', changed: false },
    ],
  ])('%s', async (_, result, before, after) => {
    const state = await openState(temporaryDirectory());
    const deps = { state, now: () => AT };
    const whose = { actor: ownActor('signal'), action: 'datasets.reload' } as const;
    expect(await auditReload(deps, whose, () => Promise.resolve(result))).toBe(result);
    expect(await newest(state)).toMatchObject({ actor: { name: 'signal' }, outcome: 'done', before, after });
    await state.close();
  });
});

test.each([
  ['datasets.rollback', true],
  ['datasets.reload', false],
] as const)('the space for what must be possible on a full disk is for a rollback: %s', async (action, isUrgent) => {
  const state = await openState(temporaryDirectory());
  const transactions = vi.spyOn(state, 'transact');
  const deps = { state, now: () => AT };
  const done = { from: 'a', to: 'b', changed: true };
  await auditReload(deps, { actor: ownActor('signal'), action }, () => Promise.resolve(done));
  expect(transactions.mock.calls.map(([, options]) => options)).toEqual([{ isUrgent }, { isUrgent }]);
  await state.close();
});
