import { setTimeout as wait } from 'node:timers/promises';
import type { StateStore } from '../../state/store.js';
import { createChangeLibrary } from '../events/change-library.js';
import type { Owners } from '../owners.js';
import type { Subscriptions } from '../subscriptions.js';
import { DELIVERY_LIMITS, type DeliveryLimits } from './delivery-limits.js';
import { readDue } from './due-deliveries.js';
import { createLedger } from './ledger.js';
import { openLanes } from './open-lanes.js';
import { areSame, NO_REVISIONS, readRevisions } from './revisions.js';
import type { Sender } from './sender.js';

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
  abandoned(subscriptionId: number, reason: string): void;
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
  const serving = { ...options, limits, library, ledger, onAbandoned: events.abandoned, settled };
  const lanes = openLanes({ serving, onError: events.laneFailed, stopping });
  /** The revisions of which all consequences have been drawn: no lane delivers that must not according to them. */
  let seen = NO_REVISIONS;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  /** Whether the look in progress succeeds. */
  let looking: Promise<boolean> | undefined;

  /**
   * Brings the lanes in line with the state. Each step relies on those before it:
   *
   * 1. Read the revisions. They are older than all that is read after them, so whatever changes during a look makes them
   *    differ from the state's, and another look follows.
   * 2. Store all progress. Until then the state still lists finished work as pending.
   * 3. Drop the lanes that have nothing left, in memory or unsaved.
   * 4. Read what is due. A lane that is opened for it starts where the dropped one ended. (Read before 2 or 3, it would
   *    hold what has been delivered meanwhile.)
   * 5. Stop the lanes for which nothing is due.
   * 6. Declare the revisions seen. Every attempt waits for this, so none begins after a pause or a removal.
   * 7. Give each lane what is due, opening those that are missing. Attempts of the others begin meanwhile.
   * 8. Close the change sets that no lane has, now that all have what they need.
   *
   * A crash loses nothing at any step, since the lanes are made from the state, and only step 2 writes to it, in one
   * transaction. The next dispatcher
   * - sends again, with the same `webhook-id`, what was sent and not stored: at most {@link DeliveryLimits.unsavedMax} events
   *   to each subscription, be it before step 2 or after it;
   * - opens no lane that step 5 stopped: the reason is in the state, where its own step 4 finds it.
   */
  const look = async (): Promise<void> => {
    const found = await state.read(readRevisions);
    const changed = !areSame(found, seen);
    if (!changed && performance.now() - lookedAtMs < LOOK_AT_LEAST_MS) return;
    lookedAtMs = performance.now();
    await ledger.save();
    lanes.dropDone();
    const { laneOf } = lanes;
    const due = await state.read((view) => readDue(view, { owners: options.owners, now: now(), laneOf, changed }));
    // If a resume ended a stopped lane's rest, the next look replaces the lane; that look must not wait for another change.
    if (lanes.stopAllBut(due)) lookedAtMs = Number.NEGATIVE_INFINITY;
    seen = found;
    for (const [id, pending] of due) await lanes.give(id, pending);
    library.keep(lanes.hasChangeSet);
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
    while (!stopping.aborted && !areSame(await state.read(readRevisions), seen)) {
      nudge();
      if ((await looking) === false) await wait(POLL_MS);
    }
  }
  const timer = setInterval(nudge, options.pollMs ?? POLL_MS);
  nudge();

  return {
    nudge,
    stop: async (timeoutMs) => {
      // No further look begins, and one in progress opens no further lane.
      end.abort();
      clearInterval(timer);
      // Before anything is awaited: from now on nothing makes a lane wait for what changed a moment ago.
      lanes.stopAll();
      await looking;
      // The attempts in flight get the rest of the time; what they come to is progress, too, and stored at the end.
      const cut = setTimeout(sender.close, timeoutMs);
      await lanes.close();
      clearTimeout(cut);
      sender.close();
      await ledger.save();
      library.keep(() => false);
    },
  };
}
