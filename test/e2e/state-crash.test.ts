import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { keyRecords } from '../../src/keys/key-record.js';
import { dataFilePath } from '../../src/state/data-file.js';
import { openState } from '../../src/state/open-state.js';
import { defineCollection, type StateStore } from '../../src/state/store.js';
import { subscriptionRecords } from '../../src/webhooks/subscription.js';
import { ISSUER_PROGRAM } from '../support/issuer-process.js';
import { rounds, variants } from '../support/rounds.js';
import { runSubscriber } from '../support/subscriber-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const KILLS = rounds(2, 60);
const OPENINGS = rounds(40, 1500);
const OPENER = fileURLToPath(new URL('../../dist/test/support/opener-program.js', import.meta.url));
const KILLED_READER = fileURLToPath(new URL('../../dist/test/support/killed-reader-program.js', import.meta.url));

async function storedIds(directory: string): Promise<number[]> {
  const state: StateStore = await openState(directory);
  try {
    return await state.read((view) => Array.from(view.range(subscriptionRecords), ({ key: [, id] }) => id));
  } finally {
    await state.close();
  }
}

test('acknowledged writes survive kill -9 at any moment, and no id is assigned twice', async () => {
  const directory = temporaryDirectory();
  const acknowledged: number[] = [];
  for (let round = 0; round < KILLS; round++) {
    const killAfter = 1 + ((round * 37) % 53);
    const run = await runSubscriber(directory, `round-${round}`, { killAfter });
    expect(run.exitCode).toBeNull();
    expect(run.created.length).toBeGreaterThanOrEqual(killAfter);
    acknowledged.push(...run.created);
  }
  const stored = await storedIds(directory);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect(new Set(stored).size).toBe(stored.length);
  expect(acknowledged.filter((id) => !stored.includes(id))).toEqual([]);
});

test('a process that is killed in the middle of a write does not block the others', async () => {
  const directory = temporaryDirectory();
  const killed = variants([7], [19, 31]).map((killAfter) =>
    runSubscriber(directory, `killed-${killAfter}`, { killAfter }),
  );
  const lasting = variants(['a', 'b'], ['c', 'd', 'e']).map((owner) => runSubscriber(directory, owner, { count: 10 }));
  const runs = await Promise.all(lasting);
  const cut = await Promise.all(killed);
  for (const run of runs) expect(run).toMatchObject({ limited: 0, failures: [], exitCode: 0 });
  const acknowledged = [...runs, ...cut].flatMap(({ created }) => created);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect(await storedIds(directory)).toEqual(expect.arrayContaining(acknowledged));
});

test('the data file does not grow with each write after a process was killed while it read', async () => {
  const directory = temporaryDirectory();
  const state = await openState(directory);
  const notes = defineCollection('notes', { key: z.tuple([]), value: z.string() });
  const write = async (times: number): Promise<number> => {
    for (let time = 0; time < times; time++) {
      await state.transact((transaction) => transaction.put(notes, [], `${time}`.padEnd(100_000)));
    }
    return statSync(dataFilePath(directory)).size;
  };
  const before = await write(20);
  expect(spawnSync(process.execPath, [KILLED_READER, directory])).toMatchObject({ signal: 'SIGKILL' });
  expect(await write(100)).toBeLessThanOrEqual(before + (2 << 20));
  await state.close();
});

test('processes that start together on a new directory share one key, and never give one owner more than ten subscriptions', async () => {
  const directory = temporaryDirectory();
  const runs = await Promise.all([1, 2, 3].map(() => runSubscriber(directory, 'one-owner', { count: 15 })));
  expect(runs.map(({ exitCode, failures }) => ({ exitCode, failures }))).toEqual(
    runs.map(() => ({ exitCode: 0, failures: [] })),
  );
  expect(runs.flatMap(({ created }) => created)).toHaveLength(10);
  expect(runs.reduce((sum, { limited }) => sum + limited, 0)).toBe(35);
  expect(await storedIds(directory)).toHaveLength(10);
  expect(readFileSync(join(directory, 'webhook-secret.key'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
});

test('opening the directory in other processes loses no commit', async () => {
  const directory = temporaryDirectory();
  const state = await openState(directory);
  let opening = true;
  const openers = Promise.all(
    [1, 2].map(() => promisify(execFile)(process.execPath, [OPENER, directory, String(OPENINGS)])),
  ).finally(() => {
    opening = false;
  });
  const given: number[] = [];
  while (opening) given.push(await state.transact((transaction) => transaction.nextId('something')));
  await openers;
  expect(given.length).toBeGreaterThan(100);
  expect(given).toEqual(given.map((_, index) => index + 1));
  await state.close();
});

test('on a full disk nothing is acknowledged that is not stored, and stored data remains', async () => {
  const directory = temporaryDirectory();
  const before = await runSubscriber(directory, 'before', { count: 5 });
  const full = await runSubscriber(directory, 'until-full', { urlLength: 30_000, fileLimitKibibytes: 4_000 });
  expect(full.failures).toEqual(['failed disk-full']);
  expect(full.created.length).toBeGreaterThan(0);
  expect(full.exitCode).toBe(0);
  expect((await storedIds(directory)).sort((a, b) => a - b)).toEqual([...before.created, ...full.created]);
  const after = await runSubscriber(directory, 'after', { count: 5 });
  expect(after).toMatchObject({ failures: [], exitCode: 0 });
});

test('a new directory on a full disk is an error that says so', async () => {
  const run = await runSubscriber(temporaryDirectory(), 'nobody', { count: 1, fileLimitKibibytes: 16 });
  expect(run).toEqual({ created: [], limited: 0, failures: ['failed disk-full'], exitCode: 0 });
});

test('a read sees what another process has stored a moment before, and so does a backup', async () => {
  const directory = temporaryDirectory();
  const state = await openState(directory);
  const readKeys = () => state.read((view) => view.count(keyRecords));
  const dumpKeys = () =>
    state.dump((records) => Array.from(records).filter(({ collection }) => collection === keyRecords.name).length);
  for (const [at, countKeys] of [readKeys, dumpKeys].entries()) {
    expect(await countKeys()).toBe(5 * at);
    // Nothing of this process goes on meanwhile.
    spawnSync(process.execPath, [ISSUER_PROGRAM, directory, '5']);
    expect(await countKeys()).toBe(5 * at + 5);
  }
  await state.close();
});
