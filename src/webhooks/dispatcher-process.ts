/**
 * The process that delivers. Making, signing and sending thousands of events a second keeps an event loop busy, and requests
 * would have to wait for it. In a thread it would not be alone, either: V8's helpers, which all threads of a process share,
 * would clear up after it with the priority of requests.
 */
import { describeError } from '../log.js';
import { keepTickShape } from '../platform/tick-shape.js';
import { openState } from '../state/open-state.js';
import { startDispatcher } from './dispatcher.js';
import type { DispatcherOrder, DispatcherReport, DispatcherSetup } from './dispatcher-protocol.js';
import { giveWay } from './give-way.js';
import { createOwners } from './owners.js';
import { createSender } from './sender.js';
import { createSubscriptions } from './subscriptions.js';
import { boxWith } from './webhook-key.js';

/** Without its host it has to end by itself, and others wait for it. */
const ORPHAN_ENDS_WITHIN_MS = 3000;

interface Delivery {
  nudge(): void;
  /** Lets attempts under way finish, up to the timeout, and ends this process. */
  stop(timeoutMs: number): Promise<void>;
}

let delivery: Promise<Delivery> | undefined;

/** Rejects with a StateError. */
async function start(setup: DispatcherSetup): Promise<Delivery> {
  const state = await openState(setup.stateDir, { onBroken: fail });
  const now = (): Date => new Date();
  const { datasetsDir, secretKey, configuredOwners, userAgent } = setup;
  const policy = { httpsOnly: setup.policy.httpsOnly, allowedHosts: new Set(setup.policy.allowedHosts) };
  const dispatcher = startDispatcher({
    state,
    datasetsDir,
    subscriptions: createSubscriptions({ state, secrets: boxWith(secretKey), policy, now }),
    sender: createSender({ policy, userAgent }),
    owners: createOwners(configuredOwners),
    now,
    events: {
      abandoned: (subscription, _changeSetId, reason) => report({ kind: 'abandoned', subscription, reason }),
      laneFailed: (subscription, error) => report({ kind: 'lane-failed', subscription, ...describeError(error) }),
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

function report(message: DispatcherReport, sent = (): void => {}): void {
  // With a callback, a host that is gone is no error.
  if (process.connected) process.send?.(message, sent);
  else sent();
}

/** The host starts another process. */
function fail(error: unknown): void {
  report({ kind: 'failed', ...describeError(error) }, () => process.exit(1));
}

/** What it is told while it is still starting waits for that. */
async function follow(order: DispatcherOrder): Promise<void> {
  if (typeof order === 'object' && 'start' in order) delivery = start(order.start);
  const started = await delivery;
  if (order === 'nudge') started?.nudge();
  else if ('stopWithinMs' in order) await started?.stop(order.stopWithinMs);
}

/** The host is gone. */
async function endAlone(): Promise<void> {
  setTimeout(() => process.exit(1), ORPHAN_ENDS_WITHIN_MS).unref();
  await (await delivery)?.stop(0);
}

keepTickShape();
giveWay();
process.once('uncaughtException', fail);
// Whoever ends a whole group of processes, as a terminal does, ends the host, which tells this one when.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('message', (order: DispatcherOrder) => void follow(order).catch(fail));
process.once('disconnect', () => void endAlone().catch(fail));
