import fs, { readdirSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { backupState } from '../../../src/state/backup.js';
import { openState } from '../../../src/state/open-state.js';
import { restoreState } from '../../../src/state/restore.js';
import { defineCollection } from '../../../src/state/store.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

/** From now on no file or directory of such a name can be renamed. */
function refuseToRename(part: string): void {
  const original = fs.renameSync;
  fs.renameSync = (from, to) => {
    if (String(from).includes(part)) throw Object.assign(new Error('I/O error'), { code: 'EIO' });
    original(from, to);
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.renameSync = original;
    syncBuiltinESMExports();
  });
}

test('where the restored state cannot take its place, the former one is there as before', async () => {
  const root = temporaryDirectory();
  const directory = join(root, 'state');
  const notes = defineCollection('notes', { key: z.tuple([z.string()]), value: z.string() });
  const state = await openState(directory);
  await state.transact((transaction) => transaction.put(notes, ['kept'], 'this'));
  await backupState(state, join(root, 'backup'), new Date());
  await state.close();

  refuseToRename('.restoring-');
  await expect(restoreState(join(root, 'backup'), directory, new Date())).rejects.toMatchObject({ code: 'io-failed' });
  expect(readdirSync(root).sort()).toEqual(['backup', 'state']);
  const again = await openState(directory);
  onTestFinished(() => again.close());
  expect(await again.dump((records) => [...records])).toContainEqual(
    expect.objectContaining({ collection: 'notes', key: ['kept'], value: 'this' }),
  );
});
