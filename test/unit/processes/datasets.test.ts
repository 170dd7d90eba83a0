import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DEADLINES } from '../../../src/admin/deadlines.js';
import type { ServedDatasets } from '../../../src/catalog/admin/served-datasets.js';
import { CatalogError, stoppedError } from '../../../src/catalog/directory/catalog-error.js';
import { deferred } from '../../../src/core/deferred.js';
import { DISCARD, LIVE as LIVE_QUESTION, PREPARE } from '../../../src/processes/dataset-questions.js';
import { createLink, type Link } from '../../../src/processes/link.js';
import { answerDatasets, catchUp, liveInAll } from '../../../src/processes/member-datasets.js';
import type { Processes } from '../../../src/processes/primary.js';
import { answerLiveInAll, type DatasetsOfAll, servedByAll } from '../../../src/processes/primary-datasets.js';
import type { Message } from '../../../src/processes/question.js';
import { eventually } from '../../support/eventually.js';

/** The two ends of a channel, with everything that passes through made into text and back. */
function linked(): [Link, Link] {
  const listeners: ((message: unknown) => void)[] = [() => {}, () => {}];
  const end = (own: number, other: number): Link =>
    createLink({
      isConnected: () => true,
      send: (message: Message) => {
        const text = JSON.stringify(message);
        setImmediate(() => listeners[other]?.(JSON.parse(text)));
      },
      onMessage: (listener) => {
        listeners[own] = listener;
      },
      onClose: () => {},
    });
  return [end(0, 1), end(1, 0)];
}

const LIVE = { generation: 'a', since: '2026-01-01T00:00:00.000Z', tracts: 1, states: 1, synthetic: true, sources: [] };

/**
 * A process that answers the primary; `refusal` is why it cannot prepare anything, `live` what it says that it answers
 * from.
 */
function member(refusal?: CatalogError, live = LIVE.generation, since = LIVE.since) {
  const commit = vi.fn(() => Promise.resolve());
  const discard = vi.fn(() => Promise.resolve());
  const prepare = vi.fn<ServedDatasets['prepare']>((generation) =>
    refusal ? Promise.reject(refusal) : Promise.resolve({ isLive: generation === live, commit, discard }),
  );
  const [primary, own] = linked();
  const served: ServedDatasets = { prepare, live: () => Promise.resolve({ ...LIVE, generation: live, since }) };
  answerDatasets(own, served);
  return { primary, commit, discard, prepare, served };
}

/** What the primary makes of its processes. */
function all(members: readonly { readonly primary: Link }[], first?: string): DatasetsOfAll {
  const broadcast: Processes['broadcast'] = (question, input) =>
    Promise.all(
      members.map(({ primary }, at) =>
        primary.ask(question, input).then(
          (output) => ({ pid: at + 1, ok: true as const, output }),
          (error: Error) => ({ pid: at + 1, ok: false as const, reason: error.message }),
        ),
      ),
    );
  return servedByAll(() => ({ broadcast }), first);
}

test('no process goes live with a generation before all have prepared it, then all do', async () => {
  const members = [member(), member()];
  const prepared = await all(members).prepare('b');
  expect(members.map(({ commit }) => commit.mock.calls.length)).toEqual([0, 0]);
  await prepared.commit();
  expect(members.map(({ commit }) => commit.mock.calls.length)).toEqual([1, 1]);
});

test('a generation counts as live already only if it is live in every process', async () => {
  const [a, b] = [member(undefined, 'a'), member(undefined, 'b')];
  expect((await all([a, a]).prepare('a')).isLive).toBe(true);
  expect((await all([a, b]).prepare('a')).isLive).toBe(false);
});

test('a generation is live since the first of the processes took it, not since one was replaced', async () => {
  const [replacement, earlier, other] = [
    member(undefined, 'a', '2026-01-03T00:00:00.000Z'),
    member(undefined, 'a', '2026-01-02T00:00:00.000Z'),
    member(undefined, 'b'),
  ];
  expect(await all([replacement, earlier, other]).live()).toMatchObject({
    generation: 'a',
    since: '2026-01-02T00:00:00.000Z',
  });
  expect(await all([]).live()).toBeUndefined();
});

test('while all processes are being replaced, the generation that their replacements open counts as live', async () => {
  const members = [member(), member()];
  const datasets = all(members, 'a');
  await datasets.states();
  members.length = 0;
  expect(await datasets.live()).toEqual(LIVE);

  members.push(member());
  const prepared = await datasets.prepare('b');
  await prepared.commit();
  members.length = 0;
  // Nothing is known of b: no process has told of it yet.
  expect(await datasets.live()).toBeUndefined();
});

test('if one process refuses, the others discard, and its error arrives with code and damage', async () => {
  const damage = { code: 'wrong-length', file: 'tracts.tctx', section: null, message: 'cut off' } as const;
  const members = [member(), member(new CatalogError('damaged', 'tracts.tctx: cut off', damage))];
  await expect(all(members).prepare('b')).rejects.toMatchObject({
    name: 'CatalogError',
    code: 'damaged',
    message: 'tracts.tctx: cut off',
    damage,
  });
  expect(members.map(({ commit, discard }) => [commit.mock.calls.length, discard.mock.calls.length])).toEqual([
    [0, 1],
    [0, 0],
  ]);
});

test('a process that fails to answer keeps the generation from going live anywhere', async () => {
  const broken = member();
  broken.prepare.mockRejectedValueOnce(new TypeError('bug'));
  const fine = member();
  await expect(all([fine, broken]).prepare('b')).rejects.toMatchObject({
    code: 'not-everywhere',
    message: expect.stringMatching(
      /^process 2 could not prepare b .*nothing was changed, process 1 answers from a, process 2 answers from a; try again/,
    ),
  });
  expect(fine.discard).toHaveBeenCalledOnce();
});

test('of a process that stops, for example to be replaced, it is not told that the service does', async () => {
  await expect(all([member(), member(stoppedError())]).prepare('b')).rejects.toMatchObject({
    code: 'not-everywhere',
    message: expect.stringMatching(/^process 2 could not prepare b .*nothing was changed, .*; try again/),
  });
});

test('a process that is stopped is not waited for as long as one that prepares, and nothing is prepared beside it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const fine = member();
  const stopped = createLink({ isConnected: () => true, send: () => {}, onMessage: () => {}, onClose: () => {} });
  const refused = expect(all([fine, { primary: stopped }]).prepare('b')).rejects.toMatchObject({
    code: 'not-everywhere',
    message: expect.stringMatching(
      /^process 2 could not prepare b .*nothing was changed, process 1 answers from a, process 2 does not respond; try/,
    ),
  });
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  await vi.advanceTimersByTimeAsync(LIVE_QUESTION.timeoutMs);
  await refused;
  expect(fine.prepare).not.toHaveBeenCalled();
});

test('three questions in a row to a stopped process leave a command time for the answer', () => {
  expect(3 * LIVE_QUESTION.timeoutMs).toBeLessThan(DEADLINES.ordinaryMs);
});

test('the error is a whole sentence if all processes end while they prepare a generation', async () => {
  const members = [member()];
  members[0]?.prepare.mockImplementation(() => {
    members.length = 0;
    return Promise.reject(new TypeError('bug'));
  });
  await expect(all(members).prepare('b')).rejects.toMatchObject({
    message: expect.stringContaining(
      'nothing was changed, all processes have ended and are being replaced; try again, or restart the service',
    ),
  });
});

test('a process that fails to commit is asked once more', async () => {
  const members = [member(), member()];
  const datasets = all(members);
  const prepared = await datasets.prepare('b');
  members[1]?.commit.mockRejectedValueOnce(new Error('busy'));
  await prepared.commit();
  expect(members[1]?.prepare).toHaveBeenCalledTimes(2);
  expect(members[1]?.commit).toHaveBeenCalledTimes(2);
});

test('if a process does not commit at all, the error says what is live where, and what to do', async () => {
  const [fine, stuck] = [member(undefined, 'b'), member()];
  const datasets = all([fine, stuck]);
  const prepared = await datasets.prepare('b');
  stuck.commit.mockRejectedValue(new Error('broken'));
  await expect(prepared.commit()).rejects.toMatchObject({
    name: 'CatalogError',
    code: 'not-everywhere',
    message:
      'not all processes made b live: process 1 answers from b, process 2 answers from a; reload again, or restart the service',
  });
});

test('after a commit that no process took, a replacement process begins with what the others still answer from', async () => {
  const stuck = member();
  const datasets = all([stuck]);
  const prepared = await datasets.prepare('b');
  stuck.commit.mockRejectedValue(new Error('broken'));
  await expect(prepared.commit()).rejects.toMatchObject({ code: 'not-everywhere' });
  expect(await datasets.generation()).toBe('a');
});

test('nothing can be prepared before the first process has started', async () => {
  const datasets = servedByAll(() => undefined);
  await expect(datasets.prepare('b')).rejects.toMatchObject({ code: 'not-everywhere' });
  expect(await datasets.live()).toBeUndefined();
  expect(await datasets.states()).toEqual({ wanted: undefined, live: [], complete: false });
});

test('all processes should answer from what one of them does, if none has been told what to take', async () => {
  const empty = member();
  vi.spyOn(empty.served, 'live').mockResolvedValue(undefined);
  expect(await all([empty, member()]).states()).toEqual({ wanted: 'a', live: [undefined, 'a'], complete: true });
});

test('a process that was not asked to prepare a generation can still commit it', async () => {
  const late = member();
  const members = [member()];
  const prepared = await all(members).prepare('b');
  members.push(late);
  await prepared.commit();
  expect(late.prepare).toHaveBeenCalledExactlyOnceWith('b');
  expect(late.commit).toHaveBeenCalledOnce();
});

test('of a generation that is prepared twice, what was prepared first is closed', async () => {
  const { primary, discard } = member();
  await primary.ask(PREPARE, { generation: 'b' });
  expect(discard).not.toHaveBeenCalled();
  await primary.ask(PREPARE, { generation: 'b' });
  expect(discard).toHaveBeenCalledOnce();
});

test('a generation that was discarded while it was being prepared is closed once it is ready', async () => {
  const slow = member();
  let ready: (() => void) | undefined;
  slow.prepare.mockImplementationOnce(async () => {
    await new Promise<void>((resolve) => {
      ready = resolve;
    });
    return { isLive: false, commit: slow.commit, discard: slow.discard };
  });
  const preparing = slow.primary.ask(PREPARE, { generation: 'b' });
  await eventually(() => expect(ready).toBeDefined());
  const dropped = slow.primary.ask(DISCARD, { generation: 'b' });
  // Answers come in the order of questions where nothing holds them up: the discard has been heard.
  await slow.primary.ask(LIVE_QUESTION, null);
  ready?.();
  await Promise.all([preparing, dropped]);
  expect(slow.discard).toHaveBeenCalledOnce();
  expect(slow.commit).not.toHaveBeenCalled();
});

test('a replacement process begins with the others’ generation, and catches up with what they take while it starts', async () => {
  const datasets = all([member()]);
  const [primary, own] = linked();
  answerLiveInAll(primary, datasets);
  expect(await liveInAll(own)).toBe('a');

  const prepared = await datasets.prepare('b');
  expect(await liveInAll(own)).toBe('a');
  await prepared.commit();
  expect(await liveInAll(own)).toBe('b');
  const late = member();
  await catchUp(own, late.served);
  expect(late.prepare).toHaveBeenCalledExactlyOnceWith('b');
  expect(late.commit).toHaveBeenCalledOnce();
});

test('a generation that is taken live while a replacement process asks which to open is the one that it opens', async () => {
  const { primary } = member();
  const held = deferred<void>();
  let questions = 0;
  const broadcast: Processes['broadcast'] = async (question, input) => {
    questions++;
    const isFirst = questions === 1;
    const output = await primary.ask(question, input);
    if (isFirst) await held.promise;
    return [{ pid: 1, ok: true, output }];
  };
  const datasets = servedByAll(() => ({ broadcast }));
  const asked = datasets.generation();
  const prepared = await datasets.prepare('b');
  await prepared.commit();
  held.resolve();
  expect(await asked).toBe('b');
  expect(await datasets.generation()).toBe('b');
});

test('catching up changes nothing in a process that is up to date, or that cannot open the others’ generation', async () => {
  const [primary, own] = linked();
  const current = member();
  answerLiveInAll(primary, all([current]));
  await catchUp(own, current.served);
  expect(current.prepare).not.toHaveBeenCalled();

  const prepare = vi.fn(() => Promise.reject(new CatalogError('unknown-generation', 'gone')));
  await catchUp(own, { prepare, live: () => Promise.resolve({ ...LIVE, generation: 'c' }) });
  expect(prepare).toHaveBeenCalledExactlyOnceWith('a');
});

test('before any generation is live, all processes begin with the one that was published at the start', async () => {
  const [primary, own] = linked();
  const idle: ServedDatasets = {
    prepare: () => Promise.reject(new Error('bug')),
    live: () => Promise.resolve(undefined),
  };
  const [asked, answering] = linked();
  answerDatasets(answering, idle);
  const datasets = all([{ primary: asked }], 'a');
  answerLiveInAll(primary, datasets);
  expect(await liveInAll(own)).toBe('a');
  expect(await datasets.states()).toEqual({ wanted: undefined, live: [undefined], complete: true });
  // Whatever keeps it from opening that: it starts, and the primary asks it again.
  await catchUp(own, idle);
});

test('before the processes have started, the primary names no generation to begin with', async () => {
  const [primary, own] = linked();
  answerLiveInAll(
    primary,
    servedByAll(() => undefined),
  );
  expect(await liveInAll(own)).toBeUndefined();
});

test('a process starts although one of the others does not say what it answers from', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const [stopped] = linked();
  const [primary, own] = linked();
  answerLiveInAll(primary, all([{ primary: stopped }]));
  // It asks a moment before the primary asks the other one.
  const asked = liveInAll(own);
  while (vi.getTimerCount() < 2) await nextTurn();
  await vi.advanceTimersByTimeAsync(LIVE_QUESTION.timeoutMs);
  expect(await asked).toBeUndefined();
});
