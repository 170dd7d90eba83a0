import { expect, test, vi } from 'vitest';
import type { DatasetAdmin } from '../../../src/catalog/admin/dataset-admin.js';
import { CatalogError } from '../../../src/catalog/directory/catalog-error.js';
import { countingReloads, loggingRefusals } from '../../../src/compose/reload-outcomes.js';
import { reloadOnSignal } from '../../../src/compose/unattended-reloads.js';
import { createLogger } from '../../../src/log.js';
import { openState } from '../../../src/state/open-state.js';
import { oneDataset } from '../../support/admin-plane.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

/** Datasets whose every reload and rollback fails, and the log. */
function refusing(error: Error) {
  const lines: unknown[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(JSON.parse(line)) });
  const fails = () => Promise.reject(error);
  return { admin: { ...oneDataset(), reload: fails, rollback: fails }, logger, lines };
}

const damaged = new CatalogError('damaged', 'tracts.tctx is cut off');
const line = { level: 'error', event: 'reload-refused', code: 'damaged', reason: 'tracts.tctx is cut off' };

test('a reload or rollback of the admin plane that is refused is in the log once, with the reason', async () => {
  const { admin, logger, lines } = refusing(damaged);
  const logged = loggingRefusals(admin, logger);
  await expect(logged.reload()).rejects.toBe(damaged);
  await expect(logged.rollback()).rejects.toBe(damaged);
  expect(lines).toMatchObject([
    { ...line, msg: 'the reload was refused' },
    { ...line, msg: 'the rollback was refused' },
  ]);
});

test('neither a refused dry run nor what the plane logs as unexpected is in the log as a refused reload', async () => {
  const { admin, logger, lines } = refusing(damaged);
  await expect(loggingRefusals(admin, logger).reload({ dryRun: true })).rejects.toBe(damaged);
  const failed = refusing(new Error('whatever it holds'));
  await expect(loggingRefusals(failed.admin, failed.logger).reload()).rejects.toThrow('whatever');
  expect([...lines, ...failed.lines]).toEqual([]);
});

test('reloads and rollbacks are counted by outcome, but not dry runs and what is given up because the service stops', async () => {
  const count = vi.fn();
  const live = oneDataset();
  const rollback = async () => ({ ...(await live.reload()), withdrawn: null, mended: false });
  const done = countingReloads({ ...live, rollback }, count);
  await done.reload();
  await done.reload({ dryRun: true });
  await done.rollback();
  expect(count.mock.calls).toEqual([['reload-done'], ['reload-done']]);
  count.mockClear();
  for (const error of [damaged, new Error('of the disk'), new CatalogError('stopped', 'the service stops')]) {
    const failing = countingReloads<DatasetAdmin>(refusing(error).admin, count);
    for (const work of [failing.reload(), failing.reload({ dryRun: true }), failing.rollback()])
      await expect(work).rejects.toBe(error);
  }
  expect(count.mock.calls).toEqual(Array(4).fill(['reload-refused']));
});

test('a reload by signal that is refused is in the log once', async () => {
  const { admin, logger, lines } = refusing(damaged);
  const state = await openState(temporaryDirectory());
  await reloadOnSignal({ admin, logger, state });
  expect(lines).toMatchObject([line]);
  await state.close();
});
