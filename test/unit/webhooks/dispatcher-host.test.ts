import { chownSync, closeSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { deferred } from '../../../src/core/deferred.js';
import { libc } from '../../../src/platform/libc.js';
import type { StateStore } from '../../../src/state/store.js';
import { type DispatcherEnd, hostDispatcher } from '../../../src/webhooks/delivery/dispatcher-host.js';
import { deadLetterRecords, replayRecords } from '../../../src/webhooks/delivery-records.js';
import { type Deliveries, OWNER, prepareDeliveries } from '../../support/deliveries.js';
import { eventually } from '../../support/eventually.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset } from '../../support/tiny-dataset.js';

const { execPath } = process;

afterEach(() => {
  process.execPath = execPath;
});

/** A state with something to deliver. */
async function withEvents(): Promise<Deliveries> {
  const deliveries = await prepareDeliveries();
  await deliveries.subscribe('http://127.0.0.1:9/hook');
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  return deliveries;
}

/** A host on a machine whose Node is somewhere else. */
function startHost({ state, datasetsDir }: Deliveries, node: string) {
  const errors: unknown[] = [];
  const ends: DispatcherEnd[] = [];
  const reports: unknown[] = [];
  process.execPath = node;
  const host = hostDispatcher({
    state,
    setup: {
      stateDir: state.directory,
      datasetsDir,
      secretKey: new Uint8Array(32),
      configuredOwners: [],
      policy: { httpsOnly: false, allowedHosts: new Set() },
      userAgent: 'test',
    },
    onReport: (report) => reports.push(report),
    onEnded: (end) => ends.push(end),
    onError: (error) => errors.push(error),
  });
  let stopping: Promise<void> | undefined;
  const stop = (timeoutMs: number): Promise<void> => {
    stopping ??= host.stop(timeoutMs);
    return stopping;
  };
  onTestFinished(() => stop(0));
  return { nudge: host.nudge, stop, errors, ends, reports };
}

/** A host that has something to deliver, and a Node that cannot be started. */
async function hostWithout(node: string) {
  const deliveries = await withEvents();
  const { stop, errors, ends } = startHost(deliveries, node);
  await eventually(() => expect(errors).not.toEqual([]));
  return { host: { stop }, state: deliveries.state, errors, ends };
}

/** What a process of {@link fakeNode} reports once it is told to start. */
const REPORT = z.object({ pid: z.int(), lock: z.int() });

/** A Node that runs nothing that it is given: it notes what its host tells it, and ends soon after it is told to stop. */
function fakeNode({ obedient = true } = {}) {
  const directory = temporaryDirectory();
  const [path, log] = [join(directory, 'node'), join(directory, 'log')];
  const program = `#!${execPath}
    const { appendFileSync, fstatSync } = require('node:fs');
    const note = (line) => appendFileSync(${JSON.stringify(log)}, line + '\\n');
    process.on('disconnect', () => process.exit());
    process.on('message', (order) => {
      note(order.start ? 'start' : JSON.stringify(order));
      if (order.start) process.send({ pid: process.pid, lock: fstatSync(4).ino });
      if (order === 'ping') for (const answer of ['pong', 'has answered']) process.send(answer);
      if (order.stopWithinMs === undefined || !${obedient}) return;
      setTimeout(() => {
        note('end');
        process.exit();
      }, 50);
    });`;
  writeFileSync(log, '');
  writeFileSync(path, program, { mode: 0o755 });
  return { path, notes: () => readFileSync(log, 'utf8').split('\n').slice(0, -1) };
}

/** Whether another host could take this one's place. */
function isLockFree({ directory }: StateStore): boolean {
  const lock = openSync(join(directory, 'dispatcher.lock'), 'a');
  try {
    return libc().tryLock(lock, 'exclusive');
  } finally {
    closeSync(lock);
  }
}

test('a process that cannot be started has ended, and keeps nobody else from delivering', async () => {
  const { host, state, errors, ends } = await hostWithout('/nowhere/node');
  await eventually(() => expect(ends).toEqual([{ code: null, signal: null }]));
  expect(errors).toEqual([expect.objectContaining({ code: 'ENOENT' })]);
  expect(isLockFree(state)).toBe(true);
  await host.stop(1000);
});

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'root’s host in another user’s state leaves no lock file that is root’s, which that user’s service could not open',
  async () => {
    const deliveries = await prepareDeliveries();
    chownSync(deliveries.state.directory, 61_001, 61_002);
    startHost(deliveries, '/nowhere/node');
    expect(statSync(join(deliveries.state.directory, 'dispatcher.lock'))).toMatchObject({ uid: 61_001, gid: 61_002 });
  },
);

test('where the system refuses to start a process at once, nobody else is kept from delivering either', async () => {
  const { host, state, errors, ends } = await hostWithout('');
  expect(errors).toEqual([expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' })]);
  expect(ends).toEqual([]);
  expect(isLockFree(state)).toBe(true);
  await host.stop(1000);
});

test('one process is started, and told to start, of new deliveries, and to stop, which the host waits for', async () => {
  const deliveries = await withEvents();
  const node = fakeNode();
  const host = startHost(deliveries, node.path);
  // While it looks whether there is something to deliver.
  for (let count = 0; count < 3; count++) host.nudge();
  await eventually(() => expect(host.reports).toHaveLength(1));
  host.nudge();
  await host.stop(1234);
  expect(node.notes()).toEqual(['start', '"nudge"', '{"stopWithinMs":1234}', 'end']);
  expect([host.errors, host.ends]).toEqual([[], []]);
});

test('a host that is stopped while it looks for something to deliver starts nothing', async () => {
  const deliveries = await withEvents();
  const { read } = deliveries.state;
  const held = deferred<void>();
  const reads = vi.spyOn(deliveries.state, 'read').mockImplementationOnce(async (work) => {
    await held.promise;
    return await read(work);
  });
  onTestFinished(() => reads.mockRestore());
  const node = fakeNode();
  const host = startHost(deliveries, node.path);
  await host.stop(1000);
  held.resolve();
  await delay(20);
  // Nor does it look again.
  await deliveries.state.close();
  host.nudge();
  await delay(5);
  expect([node.notes(), host.errors]).toEqual([[], []]);
});

test('a state that cannot be read is told once in five seconds', async () => {
  const deliveries = await prepareDeliveries();
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  vi.spyOn(deliveries.state, 'read').mockRejectedValue(new Error('the disk is gone'));
  onTestFinished(() => void vi.restoreAllMocks());
  const host = startHost(deliveries, execPath);
  const counts: number[] = [];
  for (nowMs of [0, 4999, 5000]) {
    await delay(5);
    host.nudge();
    await delay(5);
    counts.push(host.errors.length);
  }
  expect(counts).toEqual([1, 1, 2]);
});

test('a second host on the same state starts no process, and takes over once the first one has stopped', async () => {
  const deliveries = await withEvents();
  const node = fakeNode();
  const first = startHost(deliveries, node.path);
  await eventually(() => expect(first.reports).toHaveLength(1));
  const second = startHost(deliveries, node.path);
  second.nudge();
  await delay(20);
  // Were there a process of its own, it would be told, too.
  await second.stop(1000);
  expect(node.notes()).toEqual(['start']);
  const third = startHost(deliveries, node.path);
  await first.stop(1000);
  third.nudge();
  await eventually(() => expect(third.reports).toHaveLength(1));
});

test('the process shares the lock, which outlives its host', async () => {
  const deliveries = await withEvents();
  const host = startHost(deliveries, fakeNode().path);
  const lock = statSync(join(deliveries.state.directory, 'dispatcher.lock')).ino;
  await eventually(() => expect(host.reports).toEqual([{ pid: expect.any(Number), lock }]));
});

test('no process is started while there is nothing to deliver; a dead letter that is to be sent again is enough', async () => {
  const deliveries = await prepareDeliveries();
  const node = fakeNode();
  const host = startHost(deliveries, node.path);
  host.nudge();
  await delay(20);
  expect(isLockFree(deliveries.state)).toBe(true);
  await deliveries.state.transact((transaction) => {
    transaction.put(deadLetterRecords, [1, 1], {
      webhookId: 'msg_1',
      event: 'data.updated',
      geoid: '27001000100',
      body: '{}',
      failedAt: '2026-03-01T00:00:00.000+00:00',
      status: 422,
      failure: 'status',
    });
    transaction.put(replayRecords, [1, 1], OWNER);
  });
  host.nudge();
  await eventually(() => expect(host.reports).toHaveLength(1));
});

test('a process that ends is replaced after five seconds, and nobody else is kept from delivering until then', async () => {
  const deliveries = await withEvents();
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => void vi.restoreAllMocks());
  const host = startHost(deliveries, fakeNode().path);
  await eventually(() => expect(host.reports).toHaveLength(1));
  const { pid } = REPORT.parse(host.reports[0]);
  process.kill(pid, 'SIGKILL');
  await eventually(() => expect(host.ends).toEqual([{ code: null, signal: 'SIGKILL' }]));
  nowMs = 4999;
  host.nudge();
  await delay(20);
  expect(isLockFree(deliveries.state)).toBe(true);
  nowMs = 5000;
  host.nudge();
  await eventually(() => expect(host.reports).toHaveLength(2));
});

/** A host for which seconds pass when the test says so; waiting for something lets fractions of one pass. */
async function pacedHost() {
  const deliveries = await withEvents();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const host = startHost(deliveries, fakeNode().path);
  await eventually(() => expect(host.reports).toHaveLength(1));
  return { host, pid: REPORT.parse(host.reports[0]).pid };
}

test('a process that is stopped is killed after it has not answered for 30 seconds, and replaced', async () => {
  const { host, pid } = await pacedHost();
  process.kill(pid, 'SIGSTOP');
  vi.advanceTimersByTime(38_000);
  expect([host.errors, process.kill(pid, 0)]).toEqual([[], true]);
  vi.advanceTimersByTime(2000);
  await eventually(() => expect(host.ends).toEqual([{ code: null, signal: 'SIGKILL' }]));
  expect(host.errors).toEqual([
    expect.objectContaining({ message: `process ${pid} does not answer any more and is killed` }),
  ]);
  vi.advanceTimersByTime(5000);
  await eventually(() => expect(host.reports).toHaveLength(2));
});

test('a process that answers late is left alone', async () => {
  const { host, pid } = await pacedHost();
  for (const asked of [3, 6]) {
    process.kill(pid, 'SIGSTOP');
    vi.advanceTimersByTime(30_000);
    process.kill(pid, 'SIGCONT');
    await eventually(() => expect(host.reports.slice(1).length).toBeGreaterThanOrEqual(asked));
  }
  expect([host.errors, host.ends]).toEqual([[], []]);
});

test('a process that does not stop in time is killed three seconds later', async () => {
  const host = startHost(await withEvents(), fakeNode({ obedient: false }).path);
  await eventually(() => expect(host.reports).toHaveLength(1));
  const { pid } = REPORT.parse(host.reports[0]);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const stopped = host.stop(1000);
  vi.advanceTimersByTime(3999);
  expect(process.kill(pid, 0)).toBe(true);
  vi.advanceTimersByTime(1);
  await stopped;
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
