/**
 * The delivery process. Making, signing and sending thousands of events a second keeps an event loop busy, and requests
 * would have to wait for it. A worker thread would not isolate this load either: V8's helper threads, which all threads of a
 * process share, would collect its garbage at the priority of requests.
 */
import { describeError } from '../../log.js';
import { openNoDebugger } from '../../platform/no-debugger.js';
import { keepTickShape } from '../../platform/tick-shape.js';
import { openState } from '../../state/open-state.js';
import { createSecretBox } from '../../state/secret-box.js';
import { createOwners } from '../owners.js';
import { createSubscriptions } from '../subscriptions.js';
import { startDispatcher } from './dispatcher.js';
import type { DispatcherMessage, DispatcherOrder, DispatcherSetup } from './dispatcher-protocol.js';
import { giveWay } from './give-way.js';
import { createSender } from './sender.js';

/** If its host is gone, this process must end by itself within this time: another host waits for its lock. */
const ORPHAN_ENDS_WITHIN_MS = 3000;

interface Delivery {
  nudge(): void;
  /** Lets attempts in flight finish, up to the timeout, then ends this process. */
  stop(timeoutMs: number): Promise<void>;
}

let delivery: Promise<Delivery> | undefined;

/** Rejects with a StateError. */
async function start(setup: DispatcherSetup): Promise<Delivery> {
  const state = await openState(setup.stateDir, { mustExist: true, onBroken: fail });
  const now = (): Date => new Date();
  const { datasetsDir, secretKey, configuredOwners, policy, userAgent } = setup;
  const dispatcher = startDispatcher({
    state,
    datasetsDir,
    subscriptions: createSubscriptions({ state, secrets: createSecretBox(secretKey), policy, now }),
    sender: createSender({ policy, userAgent }),
    owners: createOwners(configuredOwners),
    now,
    events: {
      abandoned: (subscription, reason) => send({ kind: 'abandoned', subscription, reason }),
      laneFailed: (subscription, error) => send({ kind: 'lane-failed', subscription, ...describeError(error) }),
      diskFull: (error) => send({ kind: 'disk-full', ...describeError(error) }),
      failed: fail,
    },
  });
  const stop = async (timeoutMs: number): Promise<void> => {
    await dispatcher.stop(timeoutMs);
    await state.close();
    process.exit();
  };
  return { nudge: dispatcher.nudge, stop };
}

function send(message: DispatcherMessage, sent = (): void => {}): void {
  // If the host is gone, the callback receives the error; without a callback it would be thrown.
  if (process.connected) process.send?.(message, sent);
  else sent();
}

/** Reports the error and exits; the host then starts another process. */
function fail(error: unknown): void {
  send({ kind: 'failed', ...describeError(error) }, () => process.exit(1));
}

/** Carries out an order of the host. Orders that arrive during the start wait until it is complete, except a ping. */
async function follow(order: DispatcherOrder): Promise<void> {
  if (order === 'ping') {
    send('pong');
    return;
  }
  if (typeof order === 'object' && 'start' in order) delivery = start(order.start);
  const started = await delivery;
  if (order === 'nudge') started?.nudge();
  else if ('stopWithinMs' in order) await started?.stop(order.stopWithinMs);
}

/** Ends this process after its host has gone. */
async function endAlone(): Promise<void> {
  setTimeout(() => process.exit(1), ORPHAN_ENDS_WITHIN_MS).unref();
  await (await delivery)?.stop(0);
}

keepTickShape();
openNoDebugger();
giveWay();
process.once('uncaughtException', fail);
// A signal to the whole process group, as a terminal sends it, also reaches the host, which tells this process when to stop.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('message', (order: DispatcherOrder) => void follow(order).catch(fail));
process.once('disconnect', () => void endAlone().catch(fail));
