import { setTimeout as wait } from 'node:timers/promises';
import { keyRevisions } from '../keys/key-record.js';
import type { StateStore, StateView } from '../state/store.js';
import { createChangeLibrary } from './change-library.js';
import { DELIVERY_LIMITS, type DeliveryLimits } from './delivery-limits.js';
import { deliveriesRevision, statusRecords } from './delivery-records.js';
import type { Lane } from './lane.js';
import { createLaneTurns } from './lane-turns.js';
import { createLedger } from './ledger.js';
import type { Owners } from './owners.js';
import { type Pending, readPending } from './pending-deliveries.js';
import type { Sender } from './sender.js';
import { openSubscriber, type Subscriber, type SubscriberDependencies } from './subscriber.js';
import { subscriptionRecords } from './subscription.js';
import type { Subscriptions } from './subscriptions.js';

/** Delivers all pending events of a state directory. Only one dispatcher may run per state directory. */
export interface Dispatcher {
  /** Looks for new work now rather than at the next poll. */
  nudge(): void;
  /** Lets attempts in flight finish, cuts off those that take longer than the timeout, and stores all progress. */
  stop(timeoutMs: number): Promise<void>;
}

export interface DispatcherOptions {
  readonly state: StateStore;
  readonly datasetsDir: string;
  readonly subscriptions: Pick<Subscriptions, 'get' | 'signingSecret'>;
  readonly sender: Sender;
  readonly owners: Pick<Owners, 'isOpen'>;
  readonly now: () => Date;
  readonly events: DispatcherEvents;
  readonly limits?: Partial<DeliveryLimits>;
  /** Interval between polls of the state for changes made by other processes. */
  readonly pollMs?: number;
}

/** Events for the log. They carry no URL and no secret. */
export interface DispatcherEvents {
  abandoned(subscriptionId: number, changeSetId: number, reason: string): void;
  /**
   * A subscription could not be served, for example because its generations cannot be read, and is tried again later. Told
   * once until it is served again.
   */
  laneFailed(subscriptionId: number, error: unknown): void;
  /** The disk has no space for the progress of deliveries: they wait until there is some. Told once until then. */
  diskFull(error: unknown): void;
  /** The state store has failed: the dispatcher is unusable and has to be recreated. */
  failed(error: unknown): void;
}

const POLL_MS = 250;
/** A full look is due after this time even if no revision has changed, because keys expire without a write. */
const LOOK_AT_LEAST_MS = 2000;

export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const { state, events, now, sender } = options;
  const limits = { ...DELIVERY_LIMITS, ...options.limits };
  const library = createChangeLibrary(options.datasetsDir);
  const end = new AbortController();
  const stopping = end.signal;
  const ledger = createLedger({
    state,
    now,
    intervalMs: limits.saveIntervalMs,
    onFailure: events.failed,
    onFull: events.diskFull,
    fullRetryMs: limits.afterErrorMs,
    stopping,
  });
  const onAbandoned = events.abandoned;
  const dependencies: SubscriberDependencies = { ...options, limits, library, ledger, onAbandoned, settled };
  const subscribers = new Map<number, Subscriber>();
  const turns = createLaneTurns({
    limits,
    onError: ({ subscriptionId }, error) => events.laneFailed(subscriptionId, error),
  });
  /** What the lanes have been brought up to: what there was when those that must not deliver were last stopped. */
  let seen: Revisions = { deliveries: -1, keys: 0 };
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  /** Whether the look in progress succeeds. */
  let looking: Promise<boolean> | undefined;

  /** Stops the lanes that are idle or no longer allowed to deliver, and gives all others their pending work. */
  const look = async (): Promise<void> => {
    const found = await state.read(revisions);
    const changed = !areSame(found, seen);
    if (!changed && performance.now() - lookedAtMs < LOOK_AT_LEAST_MS) return;
    lookedAtMs = performance.now();
    await ledger.save();
    // Lanes are dropped before the pending work is read, and only once all their progress is stored; otherwise a new lane
    // would repeat deliveries.
    for (const [id, { lane }] of subscribers) {
      const isDone = lane.isStopped() || lane.isEmpty();
      if (isDone && lane.isSaved() && turns.end(lane)) subscribers.delete(id);
    }
    const due = await readDue(changed);
    for (const [id, { lane }] of subscribers) {
      if (due.has(id) || lane.isStopped()) continue;
      lane.stop();
      // If a resume ended the lane's rest, the next look replaces the lane; that look must not wait for another change.
      lookedAtMs = Number.NEGATIVE_INFINITY;
    }
    seen = found;
    for (const [id, pending] of due) await give(id, pending);
    library.keep((id) => [...subscribers.values()].some(({ lane }) => lane.has('changes', id)));
  };
  /**
   * The pending work that may be delivered now. Whether a subscription that is being served was paused is checked only
   * if a revision has changed.
   */
  const readDue = (changed: boolean): Promise<Map<number, Pending>> =>
    state.read((view) => {
      const due = readPending(view);
      for (const [id, { owner }] of due) {
        const isActive = (): boolean => view.get(subscriptionRecords, [owner, id])?.subscription.active ?? false;
        const served = subscribers.get(id);
        const mayGoOn = (served && !changed) || (isActive() && !(served && isWoken(view, served.lane)));
        if (!options.owners.isOpen(view, owner, now()) || !mayGoOn) due.delete(id);
      }
      return due;
    });
  const give = async (id: number, pending: Pending): Promise<void> => {
    const subscriber = subscribers.get(id) ?? (await openSubscriber(id, pending.owner, dependencies));
    if (!subscriber || stopping.aborted) return;
    subscribers.set(id, subscriber);
    // A later look replaces a stopped lane, once its last attempt is over.
    if (subscriber.lane.isStopped()) return;
    subscriber.take(pending);
    turns.start(subscriber.lane);
  };
  const nudge = (): void => {
    if (stopping.aborted) return;
    looking ??= look()
      .then(
        () => true,
        (error: unknown) => {
          events.failed(error);
          return false;
        },
      )
      .finally(() => {
        looking = undefined;
      });
  };
  /** Every attempt waits for this: nothing is sent to a subscription that was deleted, paused or silenced a moment ago. */
  async function settled(): Promise<void> {
    while (!stopping.aborted && !areSame(await state.read(revisions), seen)) {
      nudge();
      if ((await looking) === false) await wait(POLL_MS);
    }
  }
  const timer = setInterval(nudge, options.pollMs ?? POLL_MS);
  nudge();

  return {
    nudge,
    stop: async (timeoutMs) => {
      end.abort();
      clearInterval(timer);
      // Before anything is awaited: from now on nothing makes a lane wait for what changed a moment ago.
      for (const { lane } of subscribers.values()) lane.stop();
      await looking;
      const cut = setTimeout(sender.close, timeoutMs);
      await turns.close();
      clearTimeout(cut);
      sender.close();
      await ledger.save();
      library.keep(() => false);
    },
  };
}

/** Whether a maintainer's resume has ended the rest that a lane still observes. */
function isWoken(view: StateView, lane: Lane): boolean {
  if (!lane.isSaved()) return false;
  return lane.restsUntil() !== view.get(statusRecords, [lane.subscriptionId])?.rest?.until;
}

/** Counters that grow with every change to the pending deliveries and to the keys that own subscriptions. */
interface Revisions {
  readonly deliveries: number;
  readonly keys: number;
}

function areSame(one: Revisions, other: Revisions): boolean {
  return one.deliveries === other.deliveries && one.keys === other.keys;
}

/** Takes some microseconds: every attempt reads them. */
const revisions = (view: StateView): Revisions => ({
  deliveries: deliveriesRevision(view),
  keys: view.lastId(keyRevisions.name),
});
