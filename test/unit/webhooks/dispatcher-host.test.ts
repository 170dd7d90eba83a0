import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { libc } from '../../../src/platform/libc.js';
import type { StateStore } from '../../../src/state/store.js';
import { type DispatcherEnd, hostDispatcher } from '../../../src/webhooks/dispatcher-host.js';
import { prepareDeliveries } from '../../support/deliveries.js';
import { eventually } from '../../support/eventually.js';
import { publishTinyDataset } from '../../support/tiny-dataset.js';

const { execPath } = process;

afterEach(() => {
  process.execPath = execPath;
});

/** A host that has something to deliver, on a machine whose Node is somewhere else. */
async function hostWithout(node: string) {
  const deliveries = await prepareDeliveries();
  await deliveries.subscribe('http://127.0.0.1:9/hook');
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const { state, datasetsDir } = deliveries;
  const errors: unknown[] = [];
  const ends: DispatcherEnd[] = [];
  process.execPath = node;
  const host = hostDispatcher({
    state,
    setup: {
      stateDir: state.directory,
      datasetsDir,
      secretKey: new Uint8Array(32),
      configuredOwners: [],
      policy: { httpsOnly: false, allowedHosts: [] },
      userAgent: 'test',
    },
    onReport: () => {},
    onEnded: (end) => ends.push(end),
    onError: (error) => errors.push(error),
  });
  await eventually(() => expect(errors).not.toEqual([]));
  return { host, state, errors, ends };
}

/** Whether another host could take this one's place. */
function isLockFree({ directory }: StateStore): boolean {
  const lock = openSync(join(directory, 'dispatcher.lock'), 'a');
  try {
    return libc().tryLock(lock, 'exclusive');
  } finally {
    closeSync(lock);
  }
}

test('a process that cannot be started has ended, and keeps nobody else from delivering', async () => {
  const { host, state, errors, ends } = await hostWithout('/nowhere/node');
  await eventually(() => expect(ends).toEqual([{ code: null, signal: null }]));
  expect(errors).toEqual([expect.objectContaining({ code: 'ENOENT' })]);
  expect(isLockFree(state)).toBe(true);
  await host.stop(1000);
});

test('where the system refuses to start a process at once, nobody else is kept from delivering either', async () => {
  const { host, state, errors, ends } = await hostWithout('');
  expect(errors).toEqual([expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' })]);
  expect(ends).toEqual([]);
  expect(isLockFree(state)).toBe(true);
  await host.stop(1000);
});
