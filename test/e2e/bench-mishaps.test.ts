import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { streamOf } from '../../bench/http/sample.js';
import { measureKill } from '../../bench/processes/mishaps.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishedTinyDirectory } from '../support/tiny-dataset.js';

test.runIf(process.platform === 'linux')('no mishap is caused in a service whose load has failed', async () => {
  const client = { run: () => Promise.reject(new Error('the load client ended')), stop: async () => {} };
  const context = {
    datasetsDir: publishedTinyDirectory(),
    inputDir: '',
    tempDir: temporaryDirectory(),
    sampleSeconds: 1,
    soakMinutes: 0,
    registryRows: [],
    providerCount: 0,
    note: () => {},
  };
  await expect(measureKill(context, client, streamOf([]), ['--processes', '2'])).rejects.toThrow('load client ended');
  // What is thrown in a timer fails the run of the tests.
  await delay(context.sampleSeconds * 1000);
});
