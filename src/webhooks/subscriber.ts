import type { StateStore } from '../state/store.js';
import type { ChangeLibrary } from './change-library.js';
import { createDeliveryJournal } from './delivery-journal.js';
import { coolDownMs, type DeliveryLimits } from './delivery-limits.js';
import { type DeliveryStatus, deadLetterRecords, NO_STATUS, statusRecords } from './delivery-records.js';
import { createLane, type Lane } from './lane.js';
import type { Ledger } from './ledger.js';
import type { Pending } from './pending.js';
import { compileSelection } from './selection.js';
import type { Sender } from './sender.js';
import { openSign } from './signature.js';
import type { Subscriptions } from './subscriptions.js';
import { createChangeWork, createReplayWork } from './work.js';

/** A subscription that is being served. */
export interface Subscriber {
  readonly lane: Lane;
  /** Takes what it does not have yet. */
  take(pending: Pending): void;
}

export interface SubscriberDependencies {
  readonly state: StateStore;
  readonly subscriptions: Pick<Subscriptions, 'get' | 'signingSecret'>;
  readonly sender: Sender;
  readonly ledger: Ledger;
  readonly library: ChangeLibrary;
  readonly limits: DeliveryLimits;
  readonly now: () => Date;
  readonly onAbandoned: (subscriptionId: number, changeSetId: number, reason: string) => void;
}

/** Undefined where the subscription is gone or paused. Rejects with a StateError. */
export async function openSubscriber(
  id: number,
  owner: string,
  dependencies: SubscriberDependencies,
): Promise<Subscriber | undefined> {
  const { state, subscriptions, sender, ledger, library, now } = dependencies;
  const subscription = await subscriptions.get(owner, id);
  if (!subscription?.active) return undefined;
  const stored = await state.read((view) => ({
    status: view.get(statusRecords, [id]) ?? NO_STATUS,
    deadLetters: view.count(deadLetterRecords, { prefix: [id] }),
  }));
  const sign = await openSign(subscriptions, owner, id);
  const url = new URL(subscription.url);
  const journal = createDeliveryJournal(stored.status, now);
  const selection = compileSelection(subscription.events, subscription.filters);
  const lane = createLane({
    subscriptionId: id,
    owner,
    host: url.host,
    journal,
    deadLetters: stored.deadLetters,
    limits: dependencies.limits,
    restMs: restMsOf(stored.status, dependencies),
    failedAttempts: stored.status.rest?.failedAttempts ?? {},
    // Nothing goes out unsigned where a signature was asked for.
    attempt: ({ webhookId, body }) =>
      sign
        ? sender.send(url, sign(webhookId, now().getTime(), body), body)
        : Promise.resolve({ status: null, failure: 'secret', durationMs: 0 }),
    changed: ledger.changed,
    save: ledger.save,
    onAbandoned: (changeSetId, reason) => dependencies.onAbandoned(id, changeSetId, reason),
  });
  return {
    lane,
    take: ({ changes, replays }) => {
      for (const replay of replays) {
        if (!lane.has('replay', replay.id)) lane.add(createReplayWork(replay.id, replay.letter, journal));
      }
      for (const { id: changeSetId, changeSet, position } of changes) {
        if (lane.has('changes', changeSetId)) continue;
        const open = () => library.open(changeSetId, changeSet);
        lane.add(createChangeWork({ changeSetId, changeSet, position, subscription, selection, journal, open }));
      }
    },
  };
}

/** What is left of the rest after a failure. */
function restMsOf(
  { rest, failuresInARow }: DeliveryStatus,
  { limits, now }: Pick<SubscriberDependencies, 'limits' | 'now'>,
): number {
  if (!rest) return 0;
  // Clocks are set back at times: no rest is longer than it ever was.
  const longestMs = Math.max(coolDownMs(limits, failuresInARow), ...limits.retryDelaysMs);
  return Math.min(Math.max(Date.parse(rest.until) - now().getTime(), 0), longestMs);
}
