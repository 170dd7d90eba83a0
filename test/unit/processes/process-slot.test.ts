import cluster from 'node:cluster';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { deferred } from '../../../src/core/deferred.js';
import { createProcessSlot, LATE_MS, type ProcessEnd, type ProcessSlot } from '../../../src/processes/process-slot.js';
import { LISTENING } from '../../../src/processes/start-questions.js';
import { eventually } from '../../support/eventually.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

interface Told {
  readonly pid: number | undefined;
  readonly end: ProcessEnd;
}

interface OpenSlot {
  readonly slot: ProcessSlot;
  readonly told: Told[];
  readonly first: Promise<Told>;
  /** The processes that were late. */
  readonly late: number[];
}

/** A slot for a program that stays until it is told to end, and what it tells of processes that ended. */
function openSlot(environment: Record<string, string> = {}): OpenSlot {
  const told: Told[] = [];
  const late: number[] = [];
  const first = deferred<Told>();
  const tell = (pid: number | undefined, end: ProcessEnd): void => {
    told.push({ pid, end });
    first.resolve({ pid, end });
  };
  const events = { listening: () => {}, late: (pid: number) => void late.push(pid), ended: tell, abandoned: tell };
  const slot = createProcessSlot({ index: 0, environment, events, attach: () => {} });
  onTestFinished(() => slot.kill());
  return { slot, told, first: first.promise, late };
}

/** As a process that there are no file descriptors left for: `fork` gives it, and it tells of itself later. */
const startNowhere = (): void => cluster.setupPrimary({ cwd: '/there/is/no/such/directory' });
const startSomewhere = (): void => cluster.setupPrimary({ cwd: process.cwd() });

beforeEach(() => {
  const exec = join(temporaryDirectory(), 'program.cjs');
  writeFileSync(exec, 'setInterval(() => {}, 1000);');
  cluster.setupPrimary({ exec, args: [], execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
});
afterEach(startSomewhere);

test('a process that cannot be started is reported once with the reason, and starting is tried again', async () => {
  startNowhere();
  const { slot, told, first } = openSlot();
  const { pid, end } = await first;
  expect(pid).toBeUndefined();
  expect(end).toMatchObject({ code: null, signal: null, reason: expect.stringMatching(/^spawn .* ENOENT$/) });
  startSomewhere();
  const [worker] = await once(cluster, 'online');
  expect(told).toHaveLength(1);
  const exited = once(worker, 'exit');
  await slot.stop(10_000);
  expect(await exited).toEqual([null, 'SIGTERM']);
  expect(told).toHaveLength(1);
});

test('a fork that throws is reported and retried in the same way', async () => {
  const { slot, told, first } = openSlot({ NAME: 'with \0 in it' });
  expect(await first).toMatchObject({ pid: undefined, end: { reason: expect.stringContaining('null bytes') } });
  await eventually(() => expect(told.length).toBeGreaterThan(2));
  await slot.stop(10_000);
});

test('stopping does not wait for a process that was never started', async () => {
  startNowhere();
  const { slot, told } = openSlot();
  await slot.stop(10_000);
  expect(told).toEqual([]);
});

test.each(['replaceNone', 'stop', 'kill'] as const)(
  'a slot is left alone by %s: no start is still to come',
  async (end) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { slot } = openSlot({ NAME: 'with \0 in it' });
    expect(vi.getTimerCount()).toBe(1);
    await slot[end](10_000);
    expect(vi.getTimerCount()).toBe(0);
  },
);

test('a process that does not come to listen is told of once; one that has ended, not at all', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { slot, late, first } = openSlot();
  const [worker] = await once(cluster, 'online');
  const { pid } = worker.process;
  await vi.advanceTimersByTimeAsync(LATE_MS - 1);
  expect(late).toEqual([]);
  await vi.advanceTimersByTimeAsync(2 * LATE_MS);
  expect(late).toEqual([pid]);
  worker.process.kill('SIGKILL');
  await first;
  slot.replaceNone();
  await vi.advanceTimersByTimeAsync(LATE_MS);
  expect(late).toEqual([pid]);
});

test('a process that listens is not late', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { late } = openSlot();
  const [worker] = await once(cluster, 'online');
  worker.emit('message', { kind: 'question', id: 0, name: LISTENING.name, input: { url: 'http://localhost' } });
  await nextTurn();
  await vi.advanceTimersByTimeAsync(2 * LATE_MS);
  expect(late).toEqual([]);
});
