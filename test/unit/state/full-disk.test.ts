import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { openState } from '../../../src/state/open-state.js';
import { defineCollection } from '../../../src/state/store.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const notes = defineCollection('notes', { key: z.tuple([z.string()]), value: z.string() });

/** Until it is undone, nothing that is written to a file finds space. */
function fillDisk(): () => void {
  const original = fs.writeSync;
  const undo = (): void => {
    fs.writeSync = original;
    syncBuiltinESMExports();
  };
  fs.writeSync = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  };
  syncBuiltinESMExports();
  onTestFinished(undo);
  return undo;
}

test('what finds no space is refused, and the same process writes again once there is some', async () => {
  const onBroken = vi.fn();
  const state = await openState(temporaryDirectory(), { onBroken });
  onTestFinished(() => state.close());
  const write = (): Promise<void> =>
    state.transact((transaction) => transaction.put(notes, ['a'], 'x'.repeat(3 << 20)));
  const free = fillDisk();
  await expect(write()).rejects.toMatchObject({ code: 'disk-full' });
  free();
  await write();
  expect(await state.read((view) => view.get(notes, ['a'])?.length)).toBe(3 << 20);
  expect(onBroken).not.toHaveBeenCalled();
});
