import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readAudit } from '../../../src/audit/audit-log.js';
import { generationPath } from '../../../src/catalog/directory/generations.js';
import { deferred } from '../../../src/core/deferred.js';
import { type KeyRecord, keyRecords } from '../../../src/keys/key-record.js';
import { createKeyRegistry } from '../../../src/keys/key-registry.js';
import type { StateStore } from '../../../src/state/store.js';
import { changeSetRecords, cursorRecords, replayRecords } from '../../../src/webhooks/delivery-records.js';
import { startAnnouncer } from '../../../src/webhooks/events/announcer.js';
import { readPinnedGenerations } from '../../../src/webhooks/events/pinned-generations.js';
import { createOwners } from '../../../src/webhooks/owners.js';
import { type Deliveries, OWNER, prepareDeliveries } from '../../support/deliveries.js';
import { eventually } from '../../support/eventually.js';
import { startFakeServer } from '../../support/fake-server.js';
import { ACTOR, KEY, KEY_SETTINGS } from '../../support/keys.js';
import { publishTinyDataset, TINY_TRACTS } from '../../support/tiny-dataset.js';

const NOW = (): Date => new Date('2026-03-01T00:00:00Z');

const pinned = async ({ state }: Deliveries, configured: readonly string[] = [OWNER]): Promise<string[]> => {
  return [...(await readPinnedGenerations({ state, owners: createOwners(configured) }))].sort();
};

test('whichever of several processes says it first, a generation is announced once', async () => {
  const deliveries = await prepareDeliveries();
  const id = await deliveries.subscribe('http://127.0.0.1:1/');
  const announced = await Promise.all(Array.from({ length: 8 }, () => deliveries.announce('a generation')));
  expect(announced.filter((entry) => entry !== undefined)).toHaveLength(1);
  expect(await deliveries.admin.list()).toMatchObject([{ id, waitingUpdates: 1 }]);
  expect(await deliveries.announce('a generation')).toBeUndefined();
});

test('a change takes a few bytes a subscription, whatever the number of its events', async () => {
  const deliveries = await prepareDeliveries();
  await deliveries.subscribe('http://127.0.0.1:1/');
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir, 1));
  const sets = await deliveries.state.read((view) => Array.from(view.range(changeSetRecords)));
  expect(sets).toHaveLength(2);
  expect(JSON.stringify(sets).length).toBeLessThan(600);
});

test('the generations that a delivery needs stay pinned until it has heard of all; then the announced one alone', async () => {
  const deliveries = await prepareDeliveries();
  const receiver = await startFakeServer((response) => void response.writeHead(204).end());
  const first = publishTinyDataset(deliveries.datasetsDir);
  await deliveries.announce(first);
  await deliveries.subscribe(receiver.url);
  const [second, third] = [1, 2].map((people) => publishTinyDataset(deliveries.datasetsDir, people));
  await deliveries.announce(second ?? '');
  await deliveries.announce(third ?? '');
  expect(await pinned(deliveries)).toEqual([first, second, third].sort());
  // A configuration that lacks the key today may have it tomorrow.
  expect(await pinned(deliveries, [])).toEqual([first, second, third].sort());
  deliveries.start();
  await eventually(async () => expect(await pinned(deliveries)).toEqual([third]));
  await deliveries.announce(first);
  expect(await deliveries.state.read((view) => Array.from(view.range(changeSetRecords)))).toHaveLength(1);
});

test.each<readonly [string, Partial<KeyRecord>, boolean]>([
  ['opens', {}, true],
  ['is disabled', { disabled: true }, true],
  ['has expired', { expiresAt: '2020-01-01T00:00:00Z' }, true],
  ['is revoked', { revokedAt: '2020-01-01T00:00:00Z', secrets: [] }, false],
])('what a subscription has not heard of stays pinned where its key %s: %j', async (_what, change, stays) => {
  const deliveries = await prepareDeliveries();
  const key = { ...KEY, ...change };
  await deliveries.state.transact((transaction) => transaction.put(keyRecords, [key.id], key));
  const [first = '', second = '', third = ''] = [0, 1, 2].map((people) =>
    publishTinyDataset(deliveries.datasetsDir, people),
  );
  await deliveries.announce(first);
  await deliveries.subscribe('http://127.0.0.1:1/', {}, key.id);
  await deliveries.announce(second);
  await deliveries.announce(third);
  expect(await pinned(deliveries)).toEqual(stays ? [first, second, third].sort() : [third]);
});

test('pending replays of a revoked key are dropped with the next change', async () => {
  const deliveries = await prepareDeliveries();
  const registry = createKeyRegistry({ state: deliveries.state, now: NOW });
  const owners = [OWNER, (await registry.issue(KEY_SETTINGS, ACTOR)).id];
  const queued = () =>
    deliveries.state.read((view) => Array.from(view.range(replayRecords), ({ value: owner }) => owner));
  for (const owner of owners) {
    const id = await deliveries.subscribe('http://127.0.0.1:1/', {}, owner);
    await deliveries.state.transact((transaction) => transaction.put(replayRecords, [id, 1], owner));
  }
  await deliveries.announce('a generation');
  expect(await queued()).toEqual(owners);
  await registry.revoke(owners[1] ?? '', ACTOR);
  await deliveries.announce('another generation');
  expect(await queued()).toEqual([OWNER]);
});

test('where the earlier generation was deleted by hand, all tracts are told; where the later one, none, with an audit entry', async () => {
  const deliveries = await prepareDeliveries();
  const receiver = await startFakeServer((response) => void response.writeHead(204).end());
  const [first, second, third] = [0, 1, 2].map((people) => publishTinyDataset(deliveries.datasetsDir, people));
  await deliveries.announce(first ?? '');
  const id = await deliveries.subscribe(receiver.url);
  await deliveries.announce(second ?? '');
  await deliveries.announce(third ?? '');
  for (const gone of [first, third]) rmSync(generationPath(deliveries.datasetsDir, gone ?? ''), { recursive: true });
  deliveries.start();
  await eventually(async () => expect(await deliveries.admin.list()).toMatchObject([{ waitingUpdates: 0 }]));
  expect(receiver.requests).toHaveLength(TINY_TRACTS.length);
  const [entry] = await deliveries.state.read((view) => readAudit(view, { limit: 1 }));
  expect(entry).toMatchObject({
    action: 'webhooks.abandon',
    target: String(id),
    before: { from: second, to: third },
  });
  expect(deliveries.problems).toEqual([expect.stringContaining('is no longer on disk')]);
});

test.each<readonly [string, (datasetsDir: string, generation: string) => () => void]>([
  [
    'the datasets directory is an empty mount point',
    (datasetsDir) => {
      renameSync(datasetsDir, `${datasetsDir}-away`);
      mkdirSync(datasetsDir);
      return () => {
        rmSync(datasetsDir, { recursive: true });
        renameSync(`${datasetsDir}-away`, datasetsDir);
      };
    },
  ],
  [
    'the system does not let the generation be opened',
    (datasetsDir, generation) => {
      // A link in a circle fails for whoever runs the tests; permissions do not for root.
      const directory = generationPath(datasetsDir, generation);
      renameSync(directory, `${datasetsDir}-away`);
      symlinkSync(generation, directory);
      return () => {
        rmSync(directory);
        renameSync(`${datasetsDir}-away`, directory);
      };
    },
  ],
])('while %s, deliveries wait, which is reported once, and arrive afterwards', async (_what, hide) => {
  const deliveries = await prepareDeliveries();
  const { datasetsDir } = deliveries;
  const receiver = await startFakeServer((response) => void response.writeHead(204).end());
  const [first = '', second = ''] = [0, 1].map((people) => publishTinyDataset(datasetsDir, people));
  await deliveries.announce(first);
  await deliveries.subscribe(receiver.url);
  await deliveries.announce(second);
  const bringBack = hide(datasetsDir, second);
  deliveries.start({ afterErrorMs: 5 });
  await eventually(() => expect(deliveries.problems).toHaveLength(1));
  expect(await deliveries.admin.list()).toMatchObject([{ waitingUpdates: 1, delivered: 0 }]);
  bringBack();
  // One tract differs.
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  await eventually(async () => expect(await deliveries.admin.list()).toMatchObject([{ delivered: 1 }]));
  expect(deliveries.problems).toEqual([expect.stringContaining('cannot be read at the moment')]);
});

test('nothing waits for the subscriptions of a revoked key, and what waited for them goes with the next change', async () => {
  const deliveries = await prepareDeliveries();
  const registry = createKeyRegistry({ state: deliveries.state, now: NOW });
  const { id: owner } = await registry.issue(KEY_SETTINGS, ACTOR);
  const [lost, other] = [
    await deliveries.subscribe('http://127.0.0.1:1/', {}, owner),
    await deliveries.subscribe('http://127.0.0.1:1/'),
  ];
  expect(await deliveries.announce('one')).toMatchObject({ subscriptions: 2 });
  await registry.revoke(owner, ACTOR);
  expect(await deliveries.announce('two')).toMatchObject({ subscriptions: 1 });
  const waiting = await deliveries.state.read((view) => Array.from(view.range(cursorRecords), ({ key }) => key[0]));
  expect(waiting).toEqual([other, other]);
  expect(waiting).not.toContain(lost);
});

test('as soon as a key is revoked, what its subscription has not heard of is pinned no more', async () => {
  const deliveries = await prepareDeliveries();
  const registry = createKeyRegistry({ state: deliveries.state, now: NOW });
  const { id: owner } = await registry.issue(KEY_SETTINGS, ACTOR);
  await deliveries.announce('one');
  await deliveries.subscribe('http://127.0.0.1:1/', {}, owner);
  await deliveries.announce('two');
  expect(await pinned(deliveries)).toEqual(['one', 'two']);
  await registry.revoke(owner, ACTOR);
  expect(await pinned(deliveries)).toEqual(['two']);
});

test('what is live at the start is announced, as soon as something is', async () => {
  const { state } = await prepareDeliveries();
  const answers = [undefined, undefined, 'first'];
  const onAnnounced = vi.fn();
  const announcer = startAnnouncer({
    state,
    owners: createOwners([OWNER]),
    now: NOW,
    live: () => Promise.resolve(answers.length > 1 ? answers.shift() : answers[0]),
    onAnnounced,
    onError: vi.fn(),
    retryMs: 1,
  });
  await eventually(() => expect(onAnnounced).toHaveBeenCalledTimes(1));
  await announcer.reloaded('second');
  await announcer.reloaded('second');
  await announcer.stop();
  expect(onAnnounced.mock.calls.map(([{ changeSet }]) => [changeSet.from, changeSet.to])).toEqual([
    [null, 'first'],
    ['first', 'second'],
  ]);
  // Whoever asked for the reload has it in the log with their name.
  const log = await state.read((view) => readAudit(view, { limit: 10 }));
  expect(log).toMatchObject([
    { action: 'datasets.open', actor: { name: 'service' }, before: null, after: { live: 'first' } },
  ]);
});

test('a start on another generation than before is in the audit log, once; one on the same is not', async () => {
  const { state } = await prepareDeliveries();
  for (const live of ['first', 'second', 'second']) {
    const idle = { onAnnounced: vi.fn(), onError: vi.fn() };
    const options = { state, owners: createOwners([OWNER]), now: NOW, live: () => Promise.resolve(live), ...idle };
    const both = [startAnnouncer(options), startAnnouncer(options)];
    await Promise.all(both.map(({ started }) => started));
    await Promise.all(both.map(({ stop }) => stop()));
  }
  const log = await state.read((view) => readAudit(view, { limit: 10 }));
  expect(log.map(({ before, after }) => [before, after])).toEqual([
    [{ live: 'first' }, { live: 'second' }],
    [null, { live: 'first' }],
  ]);
});

test('a reload that is told while the first look is under way is not undone by what that finds', async () => {
  const { state } = await prepareDeliveries();
  let tell: (generation: string) => void = () => {};
  const onAnnounced = vi.fn();
  const announcer = startAnnouncer({
    state,
    owners: createOwners([OWNER]),
    now: NOW,
    live: () =>
      new Promise((resolve) => {
        tell = resolve;
      }),
    onAnnounced,
    onError: vi.fn(),
  });
  const told = announcer.reloaded('new');
  tell('old');
  await told;
  await announcer.stop();
  expect(onAnnounced.mock.calls.map(([{ changeSet }]) => changeSet.to)).toEqual(['new']);
});

test('a change that cannot be stored at first is announced later', async () => {
  const { state } = await prepareDeliveries();
  let failures = 2;
  const transact: StateStore['transact'] = (work) =>
    failures-- > 0 ? Promise.reject(new Error('full')) : state.transact(work);
  const [onAnnounced, onError] = [vi.fn(), vi.fn()];
  const announcer = startAnnouncer({
    state: { ...state, transact },
    owners: createOwners([OWNER]),
    now: NOW,
    live: () => Promise.resolve('first'),
    onAnnounced,
    onError,
    retryMs: 1,
  });
  await eventually(() => expect(onAnnounced).toHaveBeenCalledTimes(1));
  expect(onError).toHaveBeenCalledTimes(1);
  await announcer.stop();
});

test('a change that cannot be announced is tried again by one timer, also where a reload came meanwhile', async () => {
  const { state } = await prepareDeliveries();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const announcer = startAnnouncer({
    state: { ...state, read: () => Promise.reject(new Error('no state')) },
    owners: createOwners([OWNER]),
    now: NOW,
    live: () => Promise.resolve('first'),
    onAnnounced: vi.fn(),
    onError: vi.fn(),
  });
  await announcer.reloaded('second');
  expect(vi.getTimerCount()).toBe(1);
  await announcer.stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('what goes live while another generation is being announced is announced as well, by the time its reload is done', async () => {
  const { state } = await prepareDeliveries();
  const held = deferred<void>();
  let announcing = 0;
  const transact: StateStore['transact'] = async (work) => {
    if (announcing++ === 0) await held.promise;
    return state.transact(work);
  };
  const onAnnounced = vi.fn();
  const announcer = startAnnouncer({
    state: { ...state, transact },
    owners: createOwners([OWNER]),
    now: NOW,
    live: () => Promise.resolve('first'),
    onAnnounced,
    onError: vi.fn(),
  });
  await eventually(() => expect(announcing).toBe(1));
  const told = announcer.reloaded('second');
  held.resolve();
  await told;
  expect(onAnnounced.mock.calls.map(([{ changeSet }]) => changeSet.to)).toEqual(['first', 'second']);
  await announcer.stop();
});
