import { appendFileSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CatalogError, stoppedError } from '../../../src/catalog/directory/catalog-error.js';
import { currentPath, generationPath, readCurrent, setCurrent } from '../../../src/catalog/directory/generations.js';
import { watchPublished } from '../../../src/catalog/watch.js';
import { deferred } from '../../../src/core/deferred.js';
import { TRACTS_FILE } from '../../../src/format/tracts-file.js';
import { eventually } from '../../support/eventually.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset } from '../../support/tiny-dataset.js';

const DAMAGE = { code: 'checksum-mismatch', file: 'tracts.tctx', section: null, message: 'differs' } as const;

/**
 * A watch on two generations; the second is published, the first one is what a service answers from unless told
 * otherwise.
 */
function watched() {
  const datasetsDir = temporaryDirectory();
  const [first, second] = [publishTinyDataset(datasetsDir), publishTinyDataset(datasetsDir, 1)];
  const state: { live: string | undefined } = { live: first };
  const live = vi.fn(() => Promise.resolve(state.live));
  const reload = vi.fn((_: boolean) => {
    state.live = readCurrent(datasetsDir);
    return Promise.resolve();
  });
  const failed = vi.fn();
  const start = (): (() => void) => {
    const stop = watchPublished({ datasetsDir, live, reload, failed, pollMs: 1 });
    onTestFinished(stop);
    return stop;
  };
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 40));
  return { datasetsDir, first, second, state, live, reload, failed, start, pause };
}

test('a generation that was published before the watch began goes live once', async () => {
  const { start, reload, state, second, pause } = watched();
  start();
  await eventually(() => expect(state.live).toBe(second));
  await pause();
  expect(reload.mock.calls).toEqual([[false]]);
});

test('a temporary refusal is retried until the generation is live, and reported once for each reason', async () => {
  const { start, reload, failed, state, second } = watched();
  const elsewhere = new CatalogError('not-everywhere', 'process 1 is busy');
  const unopened = new CatalogError('unreadable', 'too many open files', { ...DAMAGE, code: 'cannot-open' });
  for (const error of [elsewhere, elsewhere, new Error('a thread was lost'), unopened])
    reload.mockRejectedValueOnce(error);
  start();
  await eventually(() => expect(state.live).toBe(second));
  expect(reload.mock.calls).toEqual([[false], [true], [true], [true], [true]]);
  expect(failed.mock.calls).toEqual([
    [second, 'not-everywhere: process 1 is busy'],
    [second, 'a thread was lost'],
    [second, 'cannot-open: too many open files'],
  ]);
});

test('a generation that only some processes took is tried again', async () => {
  const { start, reload, state, second } = watched();
  reload.mockImplementationOnce(() => {
    state.live = second;
    return Promise.reject(new CatalogError('not-everywhere', 'process 2 answers from another'));
  });
  start();
  await eventually(() => expect(reload.mock.calls).toEqual([[false], [true]]));
});

test('retries of a generation become rarer, and another publication is tried at once', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { start, datasetsDir, reload } = watched();
  reload.mockRejectedValue(new CatalogError('not-everywhere', 'process 1 is stuck'));
  start();
  /** How many attempts there are in so many looks. */
  const attemptsIn = async (looks: number): Promise<number> => {
    reload.mockClear();
    await vi.advanceTimersByTimeAsync(looks);
    return reload.mock.calls.length;
  };
  // At the first look, then 1, 2, 4, 8, 16, 32 looks later, and each time 61.
  expect(await attemptsIn(64)).toBe(7);
  expect(await attemptsIn(610)).toBe(10);
  publishTinyDataset(datasetsDir, 2);
  expect(await attemptsIn(1)).toBe(1);
  expect(reload).toHaveBeenCalledExactlyOnceWith(false);
});

test('a damaged generation is tried only once, and its successor goes live', async () => {
  const { start, datasetsDir, reload, failed, first, second, state, pause } = watched();
  reload.mockRejectedValueOnce(new CatalogError('damaged', 'tracts.tctx: differs', DAMAGE));
  start();
  await pause();
  expect(reload).toHaveBeenCalledOnce();
  expect(failed).toHaveBeenCalledExactlyOnceWith(second, 'checksum-mismatch: tracts.tctx: differs');
  expect(state.live).toBe(first);
  const third = publishTinyDataset(datasetsDir, 2);
  await eventually(() => expect(state.live).toBe(third));
});

test('a damaged generation is tried again when it is rebuilt', async () => {
  const { start, datasetsDir, reload, second, state, pause } = watched();
  truncateSync(join(generationPath(datasetsDir, second), TRACTS_FILE), 1000);
  reload.mockRejectedValueOnce(new CatalogError('damaged', 'tracts.tctx: wrong length', DAMAGE));
  start();
  await pause();
  expect(reload).toHaveBeenCalledOnce();
  expect(publishTinyDataset(datasetsDir, 1)).toBe(second);
  await eventually(() => expect(state.live).toBe(second));
});

test('a generation whose files are still being copied is not tried again before they rest', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { start, datasetsDir, reload, second, state } = watched();
  const path = join(generationPath(datasetsDir, second), TRACTS_FILE);
  reload.mockRejectedValue(new CatalogError('damaged', 'tracts.tctx: wrong length', DAMAGE));
  start();
  for (let copied = 0; copied < 10; copied++) {
    await vi.advanceTimersByTimeAsync(1);
    appendFileSync(path, 'more');
  }
  expect(reload).toHaveBeenCalledOnce();
  reload.mockImplementation(() => {
    state.live = second;
    return Promise.resolve();
  });
  await vi.advanceTimersByTimeAsync(3);
  expect(state.live).toBe(second);
});

test('a rollback triggers no reload, since the published generation is live', async () => {
  const { start, datasetsDir, reload, state, first, second, pause } = watched();
  start();
  await eventually(() => expect(state.live).toBe(second));
  setCurrent(datasetsDir, first);
  state.live = first;
  await pause();
  expect(reload).toHaveBeenCalledOnce();
});

test('a publication that is withdrawn before its turn is not reloaded', async () => {
  const { start, datasetsDir, live, reload, first, pause } = watched();
  live.mockImplementationOnce(() => {
    setCurrent(datasetsDir, first);
    return Promise.resolve(first);
  });
  start();
  await eventually(() => expect(live.mock.calls.length).toBeGreaterThan(1));
  await pause();
  expect(reload).not.toHaveBeenCalled();
});

test('nothing is reloaded while nothing is live or nothing is published', async () => {
  const { start, datasetsDir, reload, failed, state, pause } = watched();
  state.live = undefined;
  start();
  await pause();
  rmSync(currentPath(datasetsDir));
  await pause();
  expect([reload.mock.calls, failed.mock.calls]).toEqual([[], []]);
});

test('a reload that fails because the service stops is not reported, nor retried', async () => {
  const { start, reload, failed, pause } = watched();
  const reloading = deferred<void>();
  reload.mockReturnValueOnce(reloading.promise);
  const stop = start();
  await eventually(() => expect(reload).toHaveBeenCalledOnce());
  stop();
  reloading.reject(stoppedError());
  await pause();
  expect(failed).not.toHaveBeenCalled();
  expect(reload).toHaveBeenCalledOnce();
});

test('a live generation whose directory cannot be inspected is reported once, and not reloaded', async () => {
  const { start, datasetsDir, state, second, reload, failed, pause } = watched();
  state.live = second;
  start();
  await pause();
  rmSync(generationPath(datasetsDir, second), { recursive: true });
  symlinkSync(generationPath(datasetsDir, second), generationPath(datasetsDir, second));
  await pause();
  expect(failed.mock.calls).toEqual([
    [undefined, `generation ${second} cannot be read: it is a circular symbolic link`],
  ]);
  expect(reload).not.toHaveBeenCalled();
});
