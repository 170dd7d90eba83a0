import { mkdirSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { createChecks } from '../../../../src/catalog/admin/check-threads.js';
import { createTakeLive } from '../../../../src/catalog/admin/take-live.js';
import { CatalogError } from '../../../../src/catalog/directory/catalog-error.js';
import { generationPath } from '../../../../src/catalog/directory/generations.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';

const [OLD, NEW] = ['a'.repeat(32), 'b'.repeat(32)] as const;
const FACTS = { since: '', tracts: 30, states: 2, synthetic: true, sources: [] };
const notEverywhere = new CatalogError('not-everywhere', 'not all processes made it live');

/** A service on OLD, of whose processes some fail to take NEW; it answers from `after` then. */
function failing(after: string) {
  const datasetsDir = temporaryDirectory();
  for (const name of [OLD, NEW]) mkdirSync(generationPath(datasetsDir, name), { recursive: true });
  const reloaded = vi.fn(() => Promise.resolve());
  const discard = vi.fn(() => Promise.resolve());
  let live = OLD;
  const commit = (): Promise<void> => {
    live = after;
    return Promise.reject(notEverywhere);
  };
  const { takeLive } = createTakeLive(
    {
      datasetsDir,
      served: {
        live: () => Promise.resolve({ generation: live, ...FACTS }),
        prepare: () => Promise.resolve({ isLive: false, commit, discard }),
      },
      checks: createChecks(() => Promise.resolve({ damage: [] })),
      reloaded,
    },
    () => {},
  );
  return { takeLive, reloaded, discard };
}

test('a generation that only some processes took is announced if the service answers from it, and the error is told', async () => {
  const { takeLive, reloaded } = failing(NEW);
  await expect(takeLive(NEW, { dryRun: false })).rejects.toBe(notEverywhere);
  expect(reloaded.mock.calls).toEqual([[{ from: OLD, to: NEW, changes: undefined }]]);
  // The next attempt finds it live: nothing is announced twice.
  await expect(takeLive(NEW, { dryRun: false })).rejects.toBe(notEverywhere);
  expect(reloaded).toHaveBeenCalledOnce();
});

test('a generation that the service does not answer from after all is not announced', async () => {
  const { takeLive, reloaded } = failing(OLD);
  await expect(takeLive(NEW, { dryRun: false })).rejects.toBe(notEverywhere);
  expect(reloaded).not.toHaveBeenCalled();
});

test('a generation that is ready is let go of where CURRENT cannot be made to name it', async () => {
  const { takeLive, reloaded, discard } = failing(NEW);
  const full = new CatalogError('not-writable', 'the disk is full');
  const publish = (): void => {
    throw full;
  };
  await expect(takeLive(NEW, { dryRun: false, publish })).rejects.toBe(full);
  expect(discard).toHaveBeenCalledOnce();
  expect(reloaded).not.toHaveBeenCalled();
});
