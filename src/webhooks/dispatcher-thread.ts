/**
 * The thread that delivers. Making, signing and sending thousands of events a second keeps an event loop busy, and requests
 * would have to wait for it.
 */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { describeError } from '../log.js';
import { openState } from '../state/open-state.js';
import { createSecretBox } from '../state/secret-box.js';
import { startDispatcher } from './dispatcher.js';
import type { DispatcherOrder, DispatcherReport, DispatcherSetup } from './dispatcher-protocol.js';
import { createOwnerCheck } from './owners.js';
import { createSender } from './sender.js';
import { createSubscriptions } from './subscriptions.js';

/** Requests are to come first where there is not enough processor for both. */
const NICENESS = 10;

async function run(setup: DispatcherSetup): Promise<void> {
  // Linux alone has a priority for each thread; elsewhere it would be the whole process's.
  if (process.platform === 'linux') setPriority(0, NICENESS);
  const state = await openState(setup.stateDir);
  const now = (): Date => new Date();
  const { datasetsDir, secretKey, configuredOwners, userAgent } = setup;
  const policy = { httpsOnly: setup.policy.httpsOnly, allowedHosts: new Set(setup.policy.allowedHosts) };
  const report = (message: DispatcherReport): void => parentPort?.postMessage(message);
  const dispatcher = startDispatcher({
    state,
    datasetsDir,
    subscriptions: createSubscriptions({ state, secrets: createSecretBox(secretKey), policy, now }),
    sender: createSender({ policy, userAgent }),
    isOpenOwner: createOwnerCheck(new Set(configuredOwners)),
    now,
    events: {
      abandoned: (subscription, _changeSetId, reason) => report({ kind: 'abandoned', subscription, reason }),
      laneFailed: (subscription, error) => report({ kind: 'lane-failed', subscription, ...describeError(error) }),
      // The host starts another thread.
      failed: (error) => {
        report({ kind: 'failed', ...describeError(error) });
        process.exit(1);
      },
    },
  });
  const stop = async (timeoutMs: number): Promise<void> => {
    await dispatcher.stop(timeoutMs);
    await state.close();
    parentPort?.close();
  };
  parentPort?.on('message', (order: DispatcherOrder) => {
    if (order === 'nudge') dispatcher.nudge();
    else void stop(order.stopWithinMs);
  });
}

// The host gives nothing else.
await run(workerData as DispatcherSetup);
