import type { StateStore } from '../../state/store.js';
import { type DeliveryStatus, deadLetterRecords, NO_STATUS, statusRecords } from '../delivery-records.js';
import type { ChangeLibrary } from '../events/change-library.js';
import { compileSelection } from '../events/selection.js';
import type { Subscriptions } from '../subscriptions.js';
import { createDeliveryAccount } from './delivery-account.js';
import { coolDownMs, type DeliveryLimits } from './delivery-limits.js';
import { createChangeWork, createReplayWork } from './delivery-work.js';
import { createLane, type Lane, type LaneOptions } from './lane.js';
import type { Ledger } from './ledger.js';
import type { Pending } from './pending-deliveries.js';
import type { Sender } from './sender.js';
import { openSign } from './signature.js';

/** A subscription whose events are being delivered. */
export interface ServedSubscription {
  readonly lane: Lane;
  /** Queues the pending work that the lane does not have yet. */
  take(pending: Pending): void;
}

export interface ServingDependencies {
  readonly state: StateStore;
  readonly subscriptions: Pick<Subscriptions, 'get' | 'signingSecret'>;
  readonly sender: Sender;
  readonly ledger: Ledger;
  readonly library: ChangeLibrary;
  readonly limits: DeliveryLimits;
  readonly now: () => Date;
  readonly onAbandoned: (subscriptionId: number, reason: string) => void;
  /** See {@link LaneOptions.settled}. */
  readonly settled: () => Promise<void>;
}

/** Undefined if the subscription has been removed or paused. Rejects with a StateError. */
export async function serveSubscription(
  id: number,
  owner: string,
  dependencies: ServingDependencies,
): Promise<ServedSubscription | undefined> {
  const { state, subscriptions, sender, ledger, library, now } = dependencies;
  const subscription = await subscriptions.get(owner, id);
  if (!subscription?.active) return undefined;
  const stored = await state.read((view) => ({
    status: view.get(statusRecords, [id]) ?? NO_STATUS,
    deadLetters: view.count(deadLetterRecords, { prefix: [id] }),
  }));
  const sign = await openSign(subscriptions, owner, id);
  // It may have been removed since it was read above.
  if (sign === 'gone') return undefined;
  const url = new URL(subscription.url);
  const account = createDeliveryAccount(stored.status, now);
  const selection = compileSelection(subscription.events, subscription.filters);
  const lane = createLane({
    subscriptionId: id,
    owner,
    host: url.host,
    account,
    deadLetters: stored.deadLetters,
    limits: dependencies.limits,
    restMs: restMsOf(stored.status, dependencies),
    failedAttempts: stored.status.rest?.failedAttempts ?? {},
    // If the secret cannot be opened, the attempt fails: a subscription with a secret never gets an unsigned event.
    attempt: ({ webhookId, body }) =>
      sign === 'unopenable'
        ? Promise.resolve({ status: null, failure: 'secret', durationMs: 0 })
        : sender.send(url, sign(webhookId, now().getTime(), body), body),
    settled: dependencies.settled,
    changed: ledger.changed,
    save: ledger.save,
    onAbandoned: (reason) => dependencies.onAbandoned(id, reason),
  });
  return {
    lane,
    take: ({ changes, replays }) => {
      for (const replay of replays) {
        if (!lane.has('replay', replay.id)) lane.add(createReplayWork(replay.id, replay.letter, account));
      }
      for (const { id: changeSetId, changeSet, position } of changes) {
        if (lane.has('changes', changeSetId)) continue;
        const open = () => library.open(changeSetId, changeSet);
        lane.add(createChangeWork({ changeSetId, changeSet, position, subscription, selection, account, open }));
      }
    },
  };
}

/** How much of the stored rest after a failure is left. */
function restMsOf(
  { rest, failuresInARow }: DeliveryStatus,
  { limits, now }: Pick<ServingDependencies, 'limits' | 'now'>,
): number {
  if (!rest) return 0;
  // The clock may have been set back: a rest never lasts longer than its original length.
  const longestMs = Math.max(coolDownMs(limits, failuresInARow), ...limits.retryDelaysMs);
  return Math.min(Math.max(Date.parse(rest.until) - now().getTime(), 0), longestMs);
}
