import { rmSync, symlinkSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CatalogError, stoppedError } from '../../../src/catalog/directory/catalog-error.js';
import { generationPath, setCurrent } from '../../../src/catalog/directory/generations.js';
import { deferred } from '../../../src/core/deferred.js';
import { reconcileDatasets } from '../../../src/processes/reconcile-datasets.js';
import { eventually } from '../../support/eventually.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset } from '../../support/tiny-dataset.js';

const DAMAGE = { code: 'bad-magic', file: 'tracts.tctx', section: null, message: 'no such format' } as const;

/** Processes that answer from these generations, and are seen to. */
function reconciling(datasetsDir: string, live: (string | undefined)[], wanted?: string) {
  const state = { live, wanted, complete: true };
  const prepare = vi.fn((generation: string) =>
    Promise.resolve({
      isLive: false,
      commit: () => {
        state.wanted = generation;
        state.live = state.live.map(() => generation);
        return Promise.resolve();
      },
      discard: () => Promise.resolve(),
    }),
  );
  const events = { nothingPublished: vi.fn(), failed: vi.fn() };
  let looks = 0;
  const states = vi.fn(() => {
    looks++;
    return Promise.resolve(state);
  });
  const reconciliation = reconcileDatasets({
    datasetsDir,
    served: { prepare, states },
    inTurn: (work) => work(),
    events,
    pollMs: 1,
  });
  onTestFinished(reconciliation.stop);
  const someLooks = async (): Promise<void> => {
    const until = looks + 5;
    await eventually(() => expect(looks).toBeGreaterThan(until));
  };
  return { ...reconciliation, state, states, prepare, events, someLooks, looks: () => looks };
}

test('all processes take the first publication together, and then the checks end', async () => {
  const datasetsDir = temporaryDirectory();
  const { start, state, prepare, events, someLooks, looks } = reconciling(datasetsDir, [undefined, undefined]);
  start();
  await someLooks();
  expect(events.nothingPublished).toHaveBeenCalledOnce();
  const first = publishTinyDataset(datasetsDir);
  await eventually(() => expect(state.live).toEqual([first, first]));
  const second = publishTinyDataset(datasetsDir, 1);
  await eventually(() => {
    const seen = looks();
    return new Promise((resolve) => setTimeout(resolve, 10)).then(() => expect(looks()).toBe(seen));
  });
  expect(prepare.mock.calls).toEqual([[first]]);
  expect(second).not.toBe(first);
});

test('a process without a generation takes that of the others, whatever is published', async () => {
  const datasetsDir = temporaryDirectory();
  publishTinyDataset(datasetsDir);
  const { start, state, prepare } = reconciling(datasetsDir, ['a', undefined, 'a'], 'a');
  start();
  await eventually(() => expect(state.live).toEqual(['a', 'a', 'a']));
  expect(prepare).toHaveBeenCalledExactlyOnceWith('a');
});

test('nothing is taken while a process does not answer', async () => {
  const datasetsDir = temporaryDirectory();
  const generation = publishTinyDataset(datasetsDir);
  const { start, state, prepare, someLooks } = reconciling(datasetsDir, [undefined]);
  state.complete = false;
  start();
  await someLooks();
  expect(prepare).not.toHaveBeenCalled();
  state.complete = true;
  await eventually(() => expect(state.live).toEqual([generation]));
});

test('a temporary failure is retried, and reported once for each reason', async () => {
  const datasetsDir = temporaryDirectory();
  const generation = publishTinyDataset(datasetsDir);
  const { start, state, prepare, events } = reconciling(datasetsDir, [undefined, undefined]);
  const problem = new CatalogError('not-everywhere', 'too many open files');
  for (const _ of [1, 2, 3]) prepare.mockRejectedValueOnce(problem);
  start();
  await eventually(() => expect(state.live).toEqual([generation, generation]));
  expect(prepare).toHaveBeenCalledTimes(4);
  expect(events.failed).toHaveBeenCalledExactlyOnceWith(generation, 'not-everywhere: too many open files');
});

test('a damaged generation is left alone until another is published', async () => {
  const datasetsDir = temporaryDirectory();
  const damaged = publishTinyDataset(datasetsDir);
  const other = publishTinyDataset(datasetsDir, 1);
  setCurrent(datasetsDir, damaged);
  const { start, state, prepare, events, someLooks } = reconciling(datasetsDir, [undefined]);
  prepare.mockRejectedValueOnce(new CatalogError('damaged', 'no such format', DAMAGE));
  start();
  await someLooks();
  expect(prepare).toHaveBeenCalledOnce();
  expect(events.failed).toHaveBeenCalledExactlyOnceWith(damaged, 'bad-magic: no such format');
  setCurrent(datasetsDir, other);
  await eventually(() => expect(state.live).toEqual([other]));
});

test('a preparation that fails because the service stops is not reported, nor retried', async () => {
  const datasetsDir = temporaryDirectory();
  publishTinyDataset(datasetsDir);
  const { start, stop, prepare, events } = reconciling(datasetsDir, [undefined]);
  const preparing = deferred<never>();
  prepare.mockReturnValueOnce(preparing.promise);
  start();
  await eventually(() => expect(prepare).toHaveBeenCalledOnce());
  stop();
  preparing.reject(stoppedError());
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(events.failed).not.toHaveBeenCalled();
  expect(prepare).toHaveBeenCalledOnce();
});

test('a process that comes up while the others are being asked is checked, too', async () => {
  const { start, state, states } = reconciling(temporaryDirectory(), ['a'], 'a');
  const answers = deferred<typeof state>();
  states.mockReturnValueOnce(answers.promise);
  start();
  expect(states).toHaveBeenCalledOnce();
  state.live = ['a', 'before'];
  start();
  answers.resolve({ ...state, live: ['a'] });
  await eventually(() => expect(state.live).toEqual(['a', 'a']));
});

test('nothing is checked any more when a process comes up after the stop', async () => {
  const { start, stop, states } = reconciling(temporaryDirectory(), [undefined]);
  stop();
  start();
  await nextTurn();
  expect(states).not.toHaveBeenCalled();
});

test('a question that fails because the service stops is no error', async () => {
  const { start, stop, states } = reconciling(temporaryDirectory(), [undefined]);
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  const asking = deferred<never>();
  states.mockReturnValueOnce(asking.promise);
  start();
  expect(states).toHaveBeenCalledOnce();
  stop();
  asking.reject(stoppedError());
  // Whatever nobody has caught is told before the next turn.
  await nextTurn();
  expect(unhandled).not.toHaveBeenCalled();
});

test('a generation whose directory cannot be inspected is tried all the same, and retried', async () => {
  const datasetsDir = temporaryDirectory();
  const wanted = publishTinyDataset(datasetsDir);
  rmSync(generationPath(datasetsDir, wanted), { recursive: true });
  symlinkSync(generationPath(datasetsDir, wanted), generationPath(datasetsDir, wanted));
  const { start, prepare, events, state } = reconciling(datasetsDir, [wanted, undefined], wanted);
  prepare.mockRejectedValueOnce(new Error('no permission'));
  start();
  await eventually(() => expect(state.live).toEqual([wanted, wanted]));
  expect(events.failed).toHaveBeenCalledExactlyOnceWith(wanted, 'no permission');
});
