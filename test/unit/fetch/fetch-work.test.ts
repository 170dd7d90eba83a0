import { getEventListeners } from 'node:events';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createWork } from '../../../src/load/fetch/fetch-work.js';
import { createHttpClient } from '../../../src/load/fetch/http-client.js';
import { readSourceCatalog } from '../../../src/load/source-catalog.js';
import { NO_PROXY_SETTINGS, selection } from '../../support/fetching.js';
import { startOfficialServer } from '../../support/official-server.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

test('any number of files can be requested at a time, without a warning or a leaked listener', async () => {
  const warned = vi.fn();
  process.on('warning', warned);
  onTestFinished(() => void process.off('warning', warned));
  const server = await startOfficialServer({});
  const client = createHttpClient(NO_PROXY_SETTINGS, 'test');
  onTestFinished(() => client.close());
  const { setup } = createWork({
    outputDir: temporaryDirectory(),
    catalog: readSourceCatalog(),
    selection: selection({}),
    client,
    signal: new AbortController().signal,
    progress: { line: () => {}, step: () => {} },
    environment: {
      now: () => new Date(),
      monotonicMs: () => performance.now(),
      sleep: (ms, signal) => wait(ms, undefined, { signal }),
      random: () => 1,
      freeBytes: () => 1e15,
    },
  });
  const { signal } = setup;
  const ask = async (): Promise<void> => {
    const asked = { url: `${server.url}/missing`, headers: {}, allowedHosts: new Set<string>(), signal };
    await expect(client.get(asked)).rejects.toMatchObject({ failure: 'missing' });
    await setup.sleep(20);
  };
  await Promise.all(Array.from({ length: 30 }, ask));
  await nextTurn();
  expect(warned).not.toHaveBeenCalled();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
