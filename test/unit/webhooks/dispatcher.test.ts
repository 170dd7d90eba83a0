import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { readAudit } from '../../../src/audit/audit-log.js';
import { holdAlone } from '../../../src/catalog/directory/generation-hold.js';
import { generationPath } from '../../../src/catalog/directory/generations.js';
import { deferred } from '../../../src/core/deferred.js';
import { createKeyRegistry } from '../../../src/keys/key-registry.js';
import { StateError } from '../../../src/state/state-error.js';
import type { StateKey } from '../../../src/state/store.js';
import { readDeliveryCounts } from '../../../src/webhooks/admin/delivery-counts.js';
import type { WebhookSummary } from '../../../src/webhooks/admin/webhook-admin.js';
import type { Dispatcher } from '../../../src/webhooks/delivery/dispatcher.js';
import {
  changeSetRecords,
  cursorRecords,
  deadLetterRecords,
  replayRecords,
  statusRecords,
  touchDeliveries,
} from '../../../src/webhooks/delivery-records.js';
import { createOwners } from '../../../src/webhooks/owners.js';
import { ACTOR, type Deliveries, OWNER, prepareDeliveries } from '../../support/deliveries.js';
import { eventually } from '../../support/eventually.js';
import { type Answer, type ReceivedRequest, startFakeServer } from '../../support/fake-server.js';
import { KEY_SETTINGS } from '../../support/keys.js';
import { publishTinyDataset, TINY_TRACTS } from '../../support/tiny-dataset.js';

const ALL = TINY_TRACTS.map(({ geoid }) => geoid);
const HOUR = 3_600_000;
const geoidOf = ({ body }: ReceivedRequest): string => JSON.parse(body).data.geoid;
const idOf = ({ headers }: ReceivedRequest): unknown => headers['webhook-id'];
const arrive: Answer = (response) => void response.writeHead(204).end();

async function summaryOf({ admin }: Deliveries, id: number): Promise<WebhookSummary> {
  const summary = (await admin.list()).find((entry) => entry.id === id);
  if (!summary) throw new Error(`no subscription ${id}`);
  return summary;
}

/** The names of the collections that hold anything of a subscription, by its number. */
const recordsOf = ({ state }: Deliveries, id: number): Promise<string[]> =>
  state.read((view) =>
    [statusRecords, cursorRecords, deadLetterRecords, replayRecords]
      .filter((collection) => view.count<StateKey, unknown>(collection, { prefix: [id] }) > 0)
      .map(({ name }) => name),
  );

const registryOf = (state: Deliveries['state']) => createKeyRegistry({ state, now: () => new Date() });

/** Makes a dispatcher look at all there is, as after a change. */
async function lookAgain({ state }: Deliveries, dispatcher: Dispatcher): Promise<void> {
  await state.transact(touchDeliveries);
  dispatcher.nudge();
}

/** Holds back what the given reading of the state found, counted from now on. */
function holdReading({ state }: Deliveries, number: number) {
  const { read } = state;
  const held = deferred<void>();
  const reads = vi.spyOn(state, 'read').mockImplementation(async (work) => {
    const isHeld = reads.mock.calls.length === number;
    const found = await read(work);
    if (isHeld) await held.promise;
    return found;
  });
  onTestFinished(() => reads.mockRestore());
  return {
    release: () => held.resolve(),
    /** Resolves when as many readings have begun. */
    reached: (count: number) => eventually(() => expect(reads.mock.calls.length).toBeGreaterThanOrEqual(count)),
  };
}

/** Whether nobody has a generation open. */
function isFree({ datasetsDir }: Deliveries, generation: string): boolean {
  const hold = holdAlone(generationPath(datasetsDir, generation));
  hold?.release();
  return hold !== undefined;
}

/** A receiver that answers its first request only when it is told to. */
async function startHolding() {
  let first: ServerResponse | undefined;
  const receiver = await startFakeServer((response, request) => {
    if (receiver.requests.length > 1) return arrive(response, request);
    first = response;
  });
  return { ...receiver, answer: () => void first?.writeHead(204).end() };
}

/** A dispatcher whose first attempt is under way, and that looks only when it is nudged. */
async function startAttempt() {
  const deliveries = await prepareDeliveries();
  const receiver = await startHolding();
  const id = await deliveries.subscribe(receiver.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const dispatcher = deliveries.start({}, { pollMs: HOUR });
  await receiver.received(1);
  return { deliveries, receiver, id, dispatcher };
}

/** Resolves when a subscription has these fields. */
const becomes = (deliveries: Deliveries, id: number, fields: Partial<WebhookSummary>) =>
  eventually(async () => expect(await summaryOf(deliveries, id)).toMatchObject(fields));

test('a first load is told as one event for each tract, in order, to each subscription by itself', async () => {
  const deliveries = await prepareDeliveries();
  const receivers = [await startFakeServer(arrive), await startFakeServer(arrive)];
  const [one, wisconsin] = receivers;
  const id = await deliveries.subscribe(`${one?.url}/hook`);
  await deliveries.subscribe(`${wisconsin?.url}/hook`, { filters: { state_fips: ['55'] } });
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  deliveries.start();
  await becomes(deliveries, id, { delivered: ALL.length, failed: 0, waitingUpdates: 0, lagSeconds: 0 });
  await wisconsin?.received(10);
  expect(one?.requests.map(geoidOf)).toEqual(ALL);
  expect(wisconsin?.requests.map(geoidOf)).toEqual(ALL.filter((geoid) => geoid.startsWith('55')));
  expect(receivers.map((receiver) => receiver.mostAtOnce())).toEqual([1, 1]);
  expect(deliveries.problems).toEqual([]);
});

test('a reload, and going back, are told once each: the tracts that differ', async () => {
  const deliveries = await prepareDeliveries();
  const receiver = await startFakeServer(arrive);
  const first = publishTinyDataset(deliveries.datasetsDir);
  await deliveries.announce(first);
  const filters = { thresholds: { total_population: { operator: '>' as const, value: 1050 } } };
  await deliveries.subscribe(receiver.url, { events: ['data.updated', 'threshold.exceeded'], filters });
  const dispatcher = deliveries.start();
  for (const generation of [publishTinyDataset(deliveries.datasetsDir, 100), first]) {
    expect(await deliveries.announce(generation)).toBeDefined();
    expect(await deliveries.announce(generation)).toBeUndefined();
    dispatcher.nudge();
  }
  await receiver.received(3);
  const told = receiver.requests.map(({ body }) => JSON.parse(body)).map(({ event, data }) => [event, data.geoid]);
  expect(told).toEqual([
    ['data.updated', ALL[0]],
    ['threshold.exceeded', ALL[0]],
    ['data.updated', ALL[0]],
  ]);
  expect(JSON.parse(receiver.requests[1]?.body ?? '').data).toMatchObject({ previous_value: 1000, value: 1100 });
});

test('a subscription hears nothing of what was announced before it was made', async () => {
  const deliveries = await prepareDeliveries();
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const id = await deliveries.subscribe('http://127.0.0.1:1/');
  expect(await summaryOf(deliveries, id)).toMatchObject({ waitingUpdates: 0 });
});

test('what one dispatcher has left, another one goes on with; what it had not stored comes again with the same id', async () => {
  const deliveries = await prepareDeliveries();
  let [answers, reached] = [0, () => {}];
  const middle = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const receiver = await startFakeServer((response, request) => {
    answers++;
    if (answers === 13) reached();
    // The thirteenth never hears of its answer.
    else void arrive(response, request);
  });
  const id = await deliveries.subscribe(receiver.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const first = deliveries.start();
  await middle;
  await first.stop(0);
  expect(receiver.requests).toHaveLength(13);
  deliveries.start();
  await becomes(deliveries, id, { waitingUpdates: 0 });
  expect(receiver.requests.map(geoidOf)).toEqual([...ALL.slice(0, 13), ...ALL.slice(12)]);
  const [before, again] = receiver.requests.slice(12, 14).map(idOf);
  expect(again).toBe(before);
  expect(new Set(receiver.requests.map(idOf)).size).toBe(ALL.length);
  expect(await summaryOf(deliveries, id)).toMatchObject({ failed: 0 });
});

test('no event comes twice where nothing fails, however changes, deliveries and their storing fall together', async () => {
  const deliveries = await prepareDeliveries();
  const receivers = await Promise.all(Array.from({ length: 5 }, () => startFakeServer(arrive)));
  const generations = [0, 1].map((people) => publishTinyDataset(deliveries.datasetsDir, people));
  await deliveries.announce(generations[0] ?? '');
  for (const { url } of receivers) await deliveries.subscribe(url);
  const dispatcher = deliveries.start({ saveIntervalMs: 3 });
  const changes = 60;
  for (let change = 1; change <= changes; change++) {
    await deliveries.announce(generations[change % 2] ?? '');
    dispatcher.nudge();
  }
  await eventually(async () => {
    for (const { waitingUpdates } of await deliveries.admin.list()) expect(waitingUpdates).toBe(0);
  });
  for (const { requests } of receivers) {
    expect(requests).toHaveLength(changes);
    expect(new Set(requests.map(idOf)).size).toBe(changes);
  }
});

test('what is given up is a dead letter, which arrives with its old id when it is replayed', async () => {
  const deliveries = await prepareDeliveries();
  let refusing = true;
  const receiver = await startFakeServer((response, request) => {
    const bad = refusing && ['27001000300', '27001000500'].includes(geoidOf(request));
    response.writeHead(bad ? 422 : 204).end();
  });
  const id = await deliveries.subscribe(receiver.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const dispatcher = deliveries.start();
  await becomes(deliveries, id, { delivered: ALL.length - 2, failed: 2, deadLetters: 2, waitingUpdates: 0 });
  const { deadLetters } = await deliveries.admin.attempts(id);
  expect(deadLetters).toMatchObject([
    { geoid: '27001000300', status: 422, failure: 'status', replaying: false },
    { geoid: '27001000500', status: 422, failure: 'status', replaying: false },
  ]);
  const [first] = deadLetters;
  await expect(deliveries.admin.replay(id, { actor: ACTOR, deadLetter: 99 })).rejects.toMatchObject({
    code: 'unknown-dead-letter',
  });
  // It fails once more, and stays.
  await deliveries.admin.replay(id, { actor: ACTOR, deadLetter: first?.id });
  dispatcher.nudge();
  await becomes(deliveries, id, { failed: 3, deadLetters: 2 });
  refusing = false;
  expect(await deliveries.admin.replay(id, { actor: ACTOR })).toEqual({ replayed: 2 });
  dispatcher.nudge();
  await becomes(deliveries, id, { delivered: ALL.length, deadLetters: 0, failuresInARow: 0 });
  const last = receiver.requests.slice(-2);
  expect(last.map(geoidOf)).toEqual(['27001000300', '27001000500']);
  expect(last.map(idOf)).toEqual(deadLetters.map(({ webhookId }) => webhookId));
});

test('a receiver that is gone is paused, with an entry in the audit log, and goes on where it was when it is resumed', async () => {
  const deliveries = await prepareDeliveries();
  let down = true;
  const receiver = await startFakeServer((response) => void response.writeHead(down ? 503 : 204).end());
  const id = await deliveries.subscribe(receiver.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const dispatcher = deliveries.start();
  await becomes(deliveries, id, { state: 'paused', pausedBecause: 'failures', deadLetters: 10, waitingUpdates: 1 });
  const [counts] = await readDeliveryCounts({ ...deliveries, owners: createOwners([OWNER]), now: () => new Date() });
  expect(counts).toMatchObject({ id, state: 'paused', failed: 10, retried: 20, lastAttempt: { status: 503 } });
  expect(receiver.requests).toHaveLength(30);
  const [entry] = await deliveries.state.read((view) => readAudit(view, { limit: 1 }));
  expect(entry).toMatchObject({
    actor: { name: 'webhook dispatcher' },
    action: 'webhooks.pause',
    target: String(id),
    after: { reason: 'failures' },
  });
  down = false;
  await deliveries.admin.resume(id, ACTOR);
  await deliveries.admin.replay(id, { actor: ACTOR });
  dispatcher.nudge();
  await becomes(deliveries, id, { state: 'active', pausedBecause: null, delivered: ALL.length, deadLetters: 0 });
  expect(new Set(receiver.requests.slice(30).map(geoidOf))).toEqual(new Set(ALL));
});

test('three attempts in all and the rests between them hold over a restart', async () => {
  const deliveries = await prepareDeliveries();
  let down = true;
  const receiver = await startFakeServer((response) => void response.writeHead(down ? 503 : 204).end());
  const id = await deliveries.subscribe(receiver.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const attempts = async (): Promise<number[]> =>
    (await deliveries.admin.attempts(id)).recent.map(({ attempt }) => attempt);
  // Each dispatcher would wait for an hour after its attempt.
  const first = deliveries.start({ retryDelaysMs: [0, HOUR], coolDownMs: HOUR });
  await eventually(async () => expect(await attempts()).toEqual([2, 1]));
  await first.stop(0);
  const second = deliveries.start({ retryDelaysMs: [0, 0], coolDownMs: HOUR });
  await becomes(deliveries, id, { failed: 2, deadLetters: 2 });
  await second.stop(0);
  expect(await attempts()).toEqual([3, 2, 1, 3, 2, 1]);
  const { restsUntil } = await summaryOf(deliveries, id);
  expect(Date.parse(restsUntil ?? '') - Date.now()).toBeGreaterThan(HOUR / 2);

  down = false;
  const patient = deliveries.start({ coolDownMs: HOUR });
  const other = await startFakeServer(arrive);
  await deliveries.subscribe(other.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir, 100));
  await other.received(1);
  expect(receiver.requests).toHaveLength(6);
  await patient.stop(0);

  // A maintainer does not wait.
  await deliveries.admin.pause(id, ACTOR);
  expect(await deliveries.admin.resume(id, ACTOR)).toMatchObject({ restsUntil: null });
  deliveries.start({ coolDownMs: HOUR });
  await becomes(deliveries, id, { delivered: ALL.length - 1, waitingUpdates: 0 });
});

test('a resume ends the rest of a subscription that was not paused, once, and is in the audit log', async () => {
  const deliveries = await prepareDeliveries();
  let down = true;
  const receiver = await startFakeServer((response) => void response.writeHead(down ? 503 : 204).end());
  const id = await deliveries.subscribe(receiver.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const dispatcher = deliveries.start({ coolDownMs: HOUR });
  await becomes(deliveries, id, { failed: 2, restsUntil: expect.any(String) });
  const { restsUntil } = await summaryOf(deliveries, id);
  down = false;
  const rested = { state: 'active', restsUntil: null, failuresInARow: 0 };
  for (let count = 0; count < 2; count++) expect(await deliveries.admin.resume(id, ACTOR)).toMatchObject(rested);
  dispatcher.nudge();
  await becomes(deliveries, id, { delivered: ALL.length - 2, failed: 2 });
  const entries = await deliveries.state.read((view) => readAudit(view, { limit: 5 }));
  expect(entries.map(({ action, before, after }) => [action, before, after])).toEqual([
    ['webhooks.resume', { active: true, restsUntil }, { active: true }],
  ]);
});

test('a maintainer’s pause holds at once, and other subscriptions go on', async () => {
  const deliveries = await prepareDeliveries();
  const [paused, other] = [await startFakeServer(arrive), await startFakeServer(arrive)];
  const id = await deliveries.subscribe(paused.url);
  const lasting = await deliveries.subscribe(other.url);
  expect(await deliveries.admin.pause(id, ACTOR)).toMatchObject({ state: 'paused', pausedBecause: null });
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const dispatcher = deliveries.start();
  await becomes(deliveries, lasting, { waitingUpdates: 0 });
  expect(paused.requests).toHaveLength(0);
  await deliveries.admin.resume(id, ACTOR);
  dispatcher.nudge();
  await becomes(deliveries, id, { waitingUpdates: 0, delivered: ALL.length });
});

test('a subscription whose key opens nothing is silent, while others are told', async () => {
  const deliveries = await prepareDeliveries({ configured: ['open'] });
  const registry = createKeyRegistry({ state: deliveries.state, now: () => new Date() });
  const { id: owner } = await registry.issue(KEY_SETTINGS, ACTOR);
  await registry.update(owner, { disabled: true }, ACTOR);
  const [silenced, open] = [await startFakeServer(arrive), await startFakeServer(arrive)];
  const id = await deliveries.subscribe(silenced.url, {}, owner);
  const other = await deliveries.subscribe(open.url, {}, 'open');
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  deliveries.start();
  await becomes(deliveries, other, { delivered: ALL.length, waitingUpdates: 0 });
  expect(await summaryOf(deliveries, id)).toMatchObject({ state: 'silenced', waitingUpdates: 1 });
  await expect(deliveries.admin.test(id)).rejects.toMatchObject({ code: 'silenced' });
  // Enabled again, the key would be told; once it is revoked, nobody waits any more.
  await registry.revoke(owner, ACTOR);
  expect(await summaryOf(deliveries, id)).toMatchObject({ state: 'silenced', waitingUpdates: 0, lagSeconds: 0 });
  expect(silenced.requests).toHaveLength(0);
});

test('a key that is revoked in the middle silences its subscriptions at once', async () => {
  const deliveries = await prepareDeliveries();
  const registry = createKeyRegistry({ state: deliveries.state, now: () => new Date() });
  const { id: owner } = await registry.issue(KEY_SETTINGS, ACTOR);
  const held: ServerResponse[] = [];
  const [revoked, open] = [
    await startFakeServer((response) => void held.push(response)),
    await startFakeServer(arrive),
  ];
  const id = await deliveries.subscribe(revoked.url, {}, owner);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const dispatcher = deliveries.start();
  await revoked.received(1);
  await registry.revoke(owner, ACTOR);
  // Whoever hears of the next change is told by a dispatcher that has looked again.
  await deliveries.subscribe(open.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir, 100));
  await open.received(1);
  held[0]?.writeHead(204).end();
  await dispatcher.stop(10_000);
  expect(revoked.requests).toHaveLength(1);
  expect(await summaryOf(deliveries, id)).toMatchObject({ state: 'silenced', delivered: 1 });
});

test('an orderly stop stores the count of all that has arrived, and lets the generation go', async () => {
  const deliveries = await prepareDeliveries();
  const enough = deferred<void>();
  const receiver = await startFakeServer((response, request) => {
    if (receiver.requests.length === 12) enough.resolve();
    arrive(response, request);
  });
  const id = await deliveries.subscribe(receiver.url);
  const generation = publishTinyDataset(deliveries.datasetsDir);
  await deliveries.announce(generation);
  const dispatcher = deliveries.start();
  await enough.promise;
  await dispatcher.stop(10_000);
  expect((await summaryOf(deliveries, id)).delivered).toBe(receiver.requests.length);
  expect(isFree(deliveries, generation)).toBe(true);
});

test('nothing more is sent to a subscription that its owner removes, and nothing of it stays', async () => {
  const deliveries = await prepareDeliveries();
  let removed: Promise<unknown> | undefined;
  const receiver = await startFakeServer((response, request) => {
    removed ??= deliveries.subscriptions.remove(OWNER, id);
    void removed.then(() => arrive(response, request));
  });
  const id = await deliveries.subscribe(receiver.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const dispatcher = deliveries.start({ unsavedMax: 1 });
  await receiver.received(1);
  await removed;
  await dispatcher.stop(1000);
  expect(await deliveries.admin.list()).toEqual([]);
  await expect(deliveries.admin.attempts(id)).rejects.toMatchObject({ code: 'unknown-subscription' });
  expect(await recordsOf(deliveries, id)).toEqual([]);
  const sent = receiver.requests.length;
  expect(sent).toBeLessThan(ALL.length);
  expect(deliveries.problems).toEqual([]);
});

test.each<[string, (deliveries: Deliveries, owner: string, id: number) => Promise<unknown>]>([
  ['is removed by its owner', ({ subscriptions }, owner, id) => subscriptions.remove(owner, id)],
  ['is removed by a maintainer', ({ admin }, _, id) => admin.remove(id, ACTOR)],
  ['is paused', ({ admin }, _, id) => admin.pause(id, ACTOR)],
  ['belongs to a key that is revoked', ({ state }, owner) => registryOf(state).revoke(owner, ACTOR)],
])('not one event more is sent to a subscription once it %s, though nobody looks', async (_, end) => {
  const deliveries = await prepareDeliveries();
  const { id: owner } = await registryOf(deliveries.state).issue(KEY_SETTINGS, ACTOR);
  let ended: Promise<unknown> | undefined;
  const [receiver, other] = [
    await startFakeServer((response, request) => {
      if (receiver.requests.length === 3) ended = end(deliveries, owner, id);
      void Promise.resolve(ended).then(() => arrive(response, request));
    }),
    await startFakeServer(arrive),
  ];
  const id = await deliveries.subscribe(receiver.url, {}, owner);
  const lasting = await deliveries.subscribe(other.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const dispatcher = deliveries.start({ saveIntervalMs: HOUR, unsavedMax: 1000 }, { pollMs: HOUR });
  await other.received(ALL.length);
  await receiver.received(3);
  await ended;
  await dispatcher.stop(10_000);
  expect(receiver.requests).toHaveLength(3);
  expect((await summaryOf(deliveries, lasting)).delivered).toBe(ALL.length);
  expect(deliveries.problems).toEqual([]);
});

test('not one event more is sent to a subscription that was paused, while deliveries stop in the middle of a look', async () => {
  const deliveries = await prepareDeliveries();
  const held: ServerResponse[] = [];
  const receiver = await startFakeServer((response) => void held.push(response));
  const id = await deliveries.subscribe(receiver.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const dispatcher = deliveries.start({}, { pollMs: HOUR });
  await receiver.received(1);
  await deliveries.admin.pause(id, ACTOR);
  const looking = deferred<never>();
  vi.spyOn(deliveries.state, 'read').mockReturnValueOnce(looking.promise);
  dispatcher.nudge();
  const stopped = dispatcher.stop(10_000);
  held[0]?.writeHead(204).end();
  await eventually(async () => expect((await summaryOf(deliveries, id)).delivered).toBe(1));
  looking.reject(new Error('the look is of no use any more'));
  await stopped;
  expect(receiver.requests).toHaveLength(1);
});

test('while the disk is full no event is sent twice: deliveries wait for space, and then go on', async () => {
  const deliveries = await prepareDeliveries();
  const receiver = await startFakeServer(arrive);
  const id = await deliveries.subscribe(receiver.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const full = new StateError('disk-full', '/state', 'no space left');
  const transact = vi.spyOn(deliveries.state, 'transact').mockRejectedValue(full);
  deliveries.start({ unsavedMax: 10, afterErrorMs: 1 });
  await receiver.received(10);
  const writes = transact.mock.calls.length;
  await eventually(() => expect(transact.mock.calls.length).toBeGreaterThan(writes + 5));
  expect(receiver.requests).toHaveLength(10);
  transact.mockRestore();
  await becomes(deliveries, id, { delivered: ALL.length, waitingUpdates: 0 });
  expect(receiver.requests.map(geoidOf)).toEqual(ALL);
  expect(deliveries.problems).toEqual([`full: ${String(full)}`]);
});

test('on a full disk deliveries stop without waiting for space, and report what they could not store', async () => {
  const deliveries = await prepareDeliveries();
  const receiver = await startFakeServer(arrive);
  await deliveries.subscribe(receiver.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const full = new StateError('disk-full', '/state', 'no space left');
  const transact = vi.spyOn(deliveries.state, 'transact').mockRejectedValue(full);
  onTestFinished(() => transact.mockRestore());
  const dispatcher = deliveries.start({ unsavedMax: 10, afterErrorMs: HOUR });
  await receiver.received(10);
  await eventually(() => expect(deliveries.problems).toHaveLength(1));
  await delay(20);
  expect(transact).toHaveBeenCalledTimes(1);
  const stopped = dispatcher.stop(0);
  await expect(stopped).rejects.toBe(full);
});

test('where the secret cannot be opened any more, nothing goes out unsigned', async () => {
  const deliveries = await prepareDeliveries();
  const receiver = await startFakeServer(arrive);
  const id = await deliveries.subscribe(receiver.url, { secret: 'geheim' });
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  deliveries.start({}, { otherSecretKey: true });
  await becomes(deliveries, id, { state: 'paused', deadLetters: 10 });
  expect((await deliveries.admin.attempts(id)).recent[0]).toMatchObject({ failure: 'secret', status: null });
  expect(receiver.requests).toHaveLength(0);
});

test('a nudge that comes while deliveries stop, or after, is no failure of the storage', async () => {
  const deliveries = await prepareDeliveries();
  const dispatcher = deliveries.start();
  const stopped = dispatcher.stop(0);
  dispatcher.nudge();
  await stopped;
  await deliveries.state.close();
  dispatcher.nudge();
  await new Promise(setImmediate);
  expect(deliveries.problems).toEqual([]);
});

test('a change that is stored twice comes twice, event by event with the same ids, so that a receiver drops the second', async () => {
  const deliveries = await prepareDeliveries();
  const receiver = await startFakeServer(arrive);
  const id = await deliveries.subscribe(receiver.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  await deliveries.state.transact((transaction) => {
    const [stored] = Array.from(transaction.range(changeSetRecords));
    const [cursor] = Array.from(transaction.range(cursorRecords));
    if (!stored || !cursor) throw new Error('nothing was announced');
    // The same cursor put again is the same record; another one makes another change of it.
    transaction.put(cursorRecords, cursor.key, cursor.value);
    const copy = transaction.nextId(changeSetRecords.name);
    transaction.put(changeSetRecords, [copy], stored.value);
    transaction.put(cursorRecords, [id, copy], cursor.value);
    touchDeliveries(transaction);
  });
  deliveries.start();
  await becomes(deliveries, id, { delivered: 2 * ALL.length, waitingUpdates: 0 });
  const ids = receiver.requests.map(idOf);
  expect(ids.slice(ALL.length)).toEqual(ids.slice(0, ALL.length));
  expect(new Set(ids).size).toBe(ALL.length);
  const bodies = receiver.requests.map(({ body }) => body);
  expect(bodies.slice(ALL.length)).toEqual(bodies.slice(0, ALL.length));
  expect(deliveries.problems).toEqual([]);
});

test('a dead letter that is asked for again and again is sent once; one that is stored twice, twice with the same id', async () => {
  const deliveries = await prepareDeliveries();
  let refusing = true;
  const receiver = await startFakeServer((response, request) => {
    response.writeHead(refusing && geoidOf(request) === ALL[0] ? 422 : 204).end();
  });
  const id = await deliveries.subscribe(receiver.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const dispatcher = deliveries.start();
  await becomes(deliveries, id, { delivered: ALL.length - 1, deadLetters: 1, waitingUpdates: 0 });
  refusing = false;
  const askTwice = async (): Promise<void> => {
    for (let count = 0; count < 2; count++) await deliveries.admin.replay(id, { actor: ACTOR });
    dispatcher.nudge();
  };
  const [letter] = await deliveries.state.read((view) => Array.from(view.range(deadLetterRecords)));
  await askTwice();
  await becomes(deliveries, id, { delivered: ALL.length, deadLetters: 0 });
  expect(receiver.requests).toHaveLength(ALL.length + 1);

  // Two records of one event, which no code writes.
  await deliveries.state.transact((transaction) => {
    for (let count = 0; count < 2; count++) {
      if (letter) transaction.put(deadLetterRecords, [id, transaction.nextId(deadLetterRecords.name)], letter.value);
    }
  });
  await askTwice();
  await becomes(deliveries, id, { delivered: ALL.length + 2, deadLetters: 0 });
  expect(receiver.requests.slice(ALL.length).map(idOf)).toEqual(Array(3).fill(letter?.value.webhookId));
  expect(deliveries.problems).toEqual([]);
});

test('not one event more is sent to a subscription that was paused, while a look reads what is due', async () => {
  const { deliveries, receiver, id, dispatcher } = await startAttempt();
  await deliveries.admin.pause(id, ACTOR);
  // The first reading of a look is of the revisions, the second of what is due, the third the subscription's own.
  const { release, reached } = holdReading(deliveries, 2);
  dispatcher.nudge();
  await reached(2);
  receiver.answer();
  await reached(3);
  await delay(20);
  release();
  await dispatcher.stop(10_000);
  expect(receiver.requests).toHaveLength(1);
});

test('not one event more is sent to a subscription that was paused after a look had read the revisions', async () => {
  const { deliveries, receiver, id, dispatcher } = await startAttempt();
  await deliveries.state.transact(touchDeliveries);
  const { release, reached } = holdReading(deliveries, 2);
  dispatcher.nudge();
  await reached(2);
  await deliveries.admin.pause(id, ACTOR);
  receiver.answer();
  await reached(3);
  await delay(20);
  release();
  await delay(50);
  await becomes(deliveries, id, { state: 'paused', delivered: 1 });
  await dispatcher.stop(10_000);
  expect(receiver.requests).toHaveLength(1);
});

test('what is announced while a look reads what is due is found by the next one', async () => {
  const deliveries = await prepareDeliveries();
  const receiver = await startFakeServer(arrive);
  await deliveries.subscribe(receiver.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  // As if no time passed: looks without a change find nothing.
  vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => void vi.restoreAllMocks());
  const { release, reached } = holdReading(deliveries, 2);
  deliveries.start();
  await reached(2);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir, 100));
  release();
  await receiver.received(ALL.length + 1);
  expect(receiver.requests.map(geoidOf)).toEqual([...ALL, ALL[0]]);
});

test('without a change everything is read only every two seconds, as keys expire', async () => {
  const deliveries = await prepareDeliveries();
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => void vi.restoreAllMocks());
  const reads = vi.spyOn(deliveries.state, 'read');
  const dispatcher = deliveries.start({}, { pollMs: HOUR });
  const readsOfLook = async (): Promise<number> => {
    const before = reads.mock.calls.length;
    dispatcher.nudge();
    await new Promise(setImmediate);
    return reads.mock.calls.length - before;
  };
  await new Promise(setImmediate);
  const counts: number[] = [];
  for (nowMs of [0, 1999, 2000, 3999, 4000]) counts.push(await readsOfLook());
  expect(counts).toEqual([1, 1, 2, 1, 2]);
});

test('however often a dispatcher is nudged, no event comes twice', async () => {
  const deliveries = await prepareDeliveries();
  const receiver = await startFakeServer(arrive);
  const id = await deliveries.subscribe(receiver.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const dispatcher = deliveries.start({}, { pollMs: HOUR });
  for (let count = 0; count < 3; count++) dispatcher.nudge();
  await becomes(deliveries, id, { waitingUpdates: 0 });
  await dispatcher.stop(10_000);
  expect(receiver.requests.map(geoidOf)).toEqual(ALL);
});

test('a subscription that was paused and resumed waits for its attempt under way, and goes on from there', async () => {
  const deliveries = await prepareDeliveries();
  const [receiver, other] = [await startHolding(), await startFakeServer(arrive)];
  const id = await deliveries.subscribe(receiver.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  // Nothing is stored but by looks.
  const dispatcher = deliveries.start({ saveIntervalMs: HOUR });
  await receiver.received(1);
  const lasting = await deliveries.subscribe(other.url);
  await deliveries.admin.pause(id, ACTOR);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir, 100));
  await other.received(1);
  await deliveries.admin.resume(id, ACTOR);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir, 200));
  await other.received(2);
  expect(receiver.requests).toHaveLength(1);
  receiver.answer();
  await eventually(async () => {
    await lookAgain(deliveries, dispatcher);
    expect(await summaryOf(deliveries, id)).toMatchObject({ waitingUpdates: 0, delivered: ALL.length + 2 });
  });
  expect(receiver.requests.map(geoidOf)).toEqual([...ALL, ALL[0], ALL[0]]);
  expect(await summaryOf(deliveries, lasting)).toMatchObject({ delivered: 2 });
});

test('what a subscription has done while a look stores the progress of others is not done again', async () => {
  const deliveries = await prepareDeliveries();
  const [receiver, other] = [await startHolding(), await startFakeServer(arrive)];
  const id = await deliveries.subscribe(receiver.url, { filters: { geoids: ALL.slice(0, 1) } });
  await deliveries.subscribe(other.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const dispatcher = deliveries.start({ saveIntervalMs: HOUR }, { pollMs: HOUR });
  await receiver.received(1);
  await other.received(ALL.length);
  await deliveries.state.transact(touchDeliveries);
  const { transact } = deliveries.state;
  const writing = deferred<void>();
  const writes = vi.spyOn(deliveries.state, 'transact').mockImplementationOnce(async (work) => {
    await writing.promise;
    return await transact(work);
  });
  onTestFinished(() => writes.mockRestore());
  dispatcher.nudge();
  await eventually(() => expect(writes).toHaveBeenCalledTimes(1));
  receiver.answer();
  await delay(50);
  writing.resolve();
  // Were it served anew, it would attempt its event before the next look.
  await delay(50);
  await eventually(async () => {
    await lookAgain(deliveries, dispatcher);
    expect(await summaryOf(deliveries, id)).toMatchObject({ waitingUpdates: 0, delivered: 1 });
  });
  await dispatcher.stop(10_000);
  expect(receiver.requests).toHaveLength(1);
});

test('a resume that ends a rest takes effect without waiting for another change', async () => {
  const deliveries = await prepareDeliveries();
  let down = true;
  const receiver = await startFakeServer((response) => void response.writeHead(down ? 503 : 204).end());
  const id = await deliveries.subscribe(receiver.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => void vi.restoreAllMocks());
  deliveries.start({ coolDownMs: HOUR });
  await becomes(deliveries, id, { failed: 2, restsUntil: expect.any(String) });
  down = false;
  await deliveries.admin.resume(id, ACTOR);
  await becomes(deliveries, id, { delivered: ALL.length - 2, failed: 2 });
});

test('while deliveries stop, a look that is under way is waited for and serves nobody', async () => {
  const deliveries = await prepareDeliveries();
  const receiver = await startFakeServer(arrive);
  await deliveries.subscribe(receiver.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const { release, reached } = holdReading(deliveries, 2);
  const dispatcher = deliveries.start({}, { pollMs: HOUR });
  await reached(2);
  let isOver = false;
  const stopped = dispatcher.stop(10_000).then(() => {
    isOver = true;
  });
  await delay(50);
  expect(isOver).toBe(false);
  release();
  await stopped;
  expect(receiver.requests).toHaveLength(0);
});

test('deliveries stop also where a subscription waits for a look that fails', async () => {
  const { deliveries, receiver, dispatcher } = await startAttempt();
  await deliveries.state.transact(touchDeliveries);
  const looking = deferred<never>();
  const reads = vi.spyOn(deliveries.state, 'read').mockReturnValueOnce(looking.promise);
  onTestFinished(() => reads.mockRestore());
  dispatcher.nudge();
  receiver.answer();
  await eventually(() => expect(reads).toHaveBeenCalledTimes(2));
  await delay(5);
  const stopped = dispatcher.stop(10_000);
  looking.reject(new Error('the look is of no use any more'));
  await stopped;
  expect(receiver.requests).toHaveLength(1);
});

test('a look that fails each time leaves the process time to say so', async () => {
  const { deliveries, receiver, id, dispatcher } = await startAttempt();
  await deliveries.state.transact((transaction) => {
    transaction.put({ ...cursorRecords, value: z.unknown() }, [id, 99], 'damaged');
    touchDeliveries(transaction);
  });
  receiver.answer();
  await eventually(() => expect(deliveries.problems).not.toEqual([]));
  await delay(20);
  await dispatcher.stop(10_000);
  expect(receiver.requests).toHaveLength(1);
});

test('a state that cannot be read, or not be written, is reported', async () => {
  const deliveries = await prepareDeliveries();
  const receiver = await startFakeServer(arrive);
  await deliveries.subscribe(receiver.url);
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const failing = new StateError('io-failed', '/state', 'the disk is gone');
  const transact = vi.spyOn(deliveries.state, 'transact').mockRejectedValue(failing);
  onTestFinished(() => transact.mockRestore());
  const dispatcher = deliveries.start({}, { pollMs: HOUR });
  await eventually(() => expect(deliveries.problems).toContain(String(failing)));
  const unreadable = new StateError('io-failed', '/state', 'it cannot be read');
  const read = vi.spyOn(deliveries.state, 'read').mockRejectedValue(unreadable);
  onTestFinished(() => read.mockRestore());
  dispatcher.nudge();
  await eventually(() => expect(deliveries.problems).toContain(String(unreadable)));
});

test('generations stay open as long as events of them are to be sent, and no longer', async () => {
  const deliveries = await prepareDeliveries();
  const [receiver, other] = [await startHolding(), await startFakeServer(arrive)];
  const filters = { thresholds: { total_population: { operator: '>=' as const, value: 1000 } } };
  const id = await deliveries.subscribe(receiver.url, { events: ['threshold.exceeded'], filters });
  const [first, second, third] = [0, 1, 2].map((more) => publishTinyDataset(deliveries.datasetsDir, more));
  await deliveries.announce(first ?? '');
  const dispatcher = deliveries.start();
  await receiver.received(1);
  // It has no part in what the first one is being told.
  const lasting = await deliveries.subscribe(other.url);
  await deliveries.announce(second ?? '');
  await other.received(1);
  expect(isFree(deliveries, first ?? '')).toBe(false);
  receiver.answer();
  await becomes(deliveries, id, { waitingUpdates: 0 });
  const told = receiver.requests.map(({ body }) => JSON.parse(body).data).map(({ geoid, value }) => [geoid, value]);
  const known = TINY_TRACTS.map(({ geoid, values: [people = Number.NaN] }) => [geoid, people] as const);
  expect(told).toEqual(known.filter(([, people]) => people >= 1000));
  await deliveries.announce(third ?? '');
  await becomes(deliveries, lasting, { delivered: 2 });
  await eventually(async () => {
    await lookAgain(deliveries, dispatcher);
    expect([first, second, third].map((generation) => isFree(deliveries, generation ?? ''))).toEqual([
      true,
      true,
      true,
    ]);
  });
});
