import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { backupState } from '../../src/state/backup.js';
import { openState } from '../../src/state/open-state.js';
import { loadSecretKey } from '../../src/state/secret-key.js';
import { defineCollection } from '../../src/state/store.js';
import { PROGRAM } from '../support/run-program.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** Half a second's work, in transactions of a thousand. */
const RECORDS = 20_000;
const notes = defineCollection('notes', { key: z.tuple([z.int()]), value: z.string() });

/** Starts a restore. */
function startRestore(root: string) {
  const args = ['restore', '--input', join(root, 'backup'), '--state-dir', join(root, 'state'), '--yes'];
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: {}, stdio: ['ignore', 'ignore', 'inherit'] });
  return { child, exited: once(child, 'exit') };
}

/** Whether a restore has written its first records, whatever it calls them. */
const hasBegun = (root: string): boolean =>
  readdirSync(root).some((name) => /ing-\d+$/.test(name) && existsSync(join(root, name, 'data.mdb')));

test('the part that a killed restore leaves behind is never used or recommended as a state', async () => {
  const root = temporaryDirectory();
  const [directory, original] = [join(root, 'state'), join(root, 'original')];
  const state = await openState(original);
  await state.transact((transaction) => {
    for (let id = 0; id < RECORDS; id++) transaction.put(notes, [id], `note ${id}`);
  });
  const key = loadSecretKey(original, 'webhook-secret.key');
  await backupState(state, join(root, 'backup'), new Date());
  await state.close();

  const { child, exited } = startRestore(root);
  while (!hasBegun(root) && child.exitCode === null) await delay(1);
  child.kill('SIGKILL');
  await exited;
  expect(child.signalCode).toBe('SIGKILL');
  const part = `state.building-${child.pid}`;
  expect(readdirSync(root).sort()).toEqual(['backup', 'original', part]);
  expect(existsSync(join(root, part, 'webhook-secret.key'))).toBe(false);
  await expect(openState(directory)).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringMatching(
      /a restore has not finished; restore again, or remove it to start with an empty state$/,
    ),
  });

  const again = startRestore(root);
  expect(await again.exited).toEqual([0, null]);
  expect(readdirSync(root).sort()).toEqual(['backup', 'original', 'state']);
  const restored = await openState(directory);
  expect(await restored.read((view) => view.count(notes))).toBe(RECORDS);
  await restored.close();
  expect(loadSecretKey(directory, 'webhook-secret.key')).toEqual(key);
  expect(readFileSync(join(directory, 'webhook-secret.key'))).toEqual(
    readFileSync(join(original, 'webhook-secret.key')),
  );
});
