import { expect, onTestFinished, test, vi } from 'vitest';
import { setCurrent } from '../../src/catalog/directory/generations.js';
import { startLoad } from '../support/generation-load.js';
import { resourcesOf } from '../support/process-resources.js';
import { startService } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset, TINY_TRACTS } from '../support/tiny-dataset.js';

const RELOADS = 50;
const WAIT = { timeout: 60_000, interval: 20 };
/** What the heap may differ by between two moments. */
const SLACK_BYTES = 48 * 2 ** 20;

test(`${RELOADS} reloads under load fail no request and leave no map, thread or file descriptor behind`, async () => {
  const datasetsDir = temporaryDirectory();
  const generations = [0, 1, 2].map((morePeople) => publishTinyDataset(datasetsDir, morePeople));
  const service = await startService(datasetsDir);
  onTestFinished(service.kill);
  const people = TINY_TRACTS[0]?.values[0] ?? 0;
  const load = startLoad(service, new Map(generations.map((generation, more) => [generation, people + more])));
  const closed = (): number => service.output().split('"event":"dataset-closed"').length - 1;
  const reload = async (turn: number): Promise<void> => {
    const before = closed();
    setCurrent(datasetsDir, generations[turn % generations.length] ?? '');
    service.signal('SIGHUP');
    await vi.waitFor(() => expect(closed()).toBe(before + 1), WAIT);
  };
  for (let turn = 0; turn < 5; turn++) await reload(turn);
  const before = resourcesOf(service.pid);
  for (let turn = 5; turn < RELOADS; turn++) await reload(turn);
  await load.stop();
  expect(load.problems).toEqual([]);
  // Threads that checked the last generation may be ending still, with what they have open.
  await vi.waitFor(() => {
    const after = resourcesOf(service.pid);
    expect(after.datasetMaps).toHaveLength(before.datasetMaps.length);
    expect(after.threads).toBeLessThanOrEqual(before.threads);
    expect(after.fileDescriptors).toBeLessThanOrEqual(before.fileDescriptors);
    expect(after.anonymousBytes).toBeLessThan(before.anonymousBytes + SLACK_BYTES);
  }, WAIT);
});
