import { FormatError } from '../../format/format-error.js';
import type { Failed, Outcome } from '../attempt.js';
import type { Rest } from '../delivery-records.js';
import { MissingGenerationError } from '../events/changes.js';
import type { EventMessage } from '../events/event-message.js';
import { afterFailure } from './after-failure.js';
import type { DeliveryAccount, Unsaved } from './delivery-account.js';
import type { DeliveryLimits } from './delivery-limits.js';
import { createDeliveryQueue, type DeliveryQueue } from './delivery-queue.js';
import type { Work } from './delivery-work.js';

/** What follows a turn: another turn after a delay (0: at once), or none until there is new work. */
export type Next = { readonly afterMs: number } | 'idle';

/** One subscription's deliveries: one event at a time, in order. */
export interface Lane {
  readonly subscriptionId: number;
  readonly owner: string;
  /** The receiver's host name and port; lanes of the same host share a concurrency limit. */
  readonly host: string;
  /** {@link DeliveryQueue.has} */
  readonly has: DeliveryQueue['has'];
  /** {@link DeliveryQueue.add} */
  readonly add: DeliveryQueue['add'];
  /** Delivers events for one time slice. */
  run(): Promise<Next>;
  /** Stops once the attempt in flight has ended; if that attempt fails, the failure is not counted. */
  stop(): void;
  readonly isStopped: () => boolean;
  /** Whether there is nothing to send. */
  readonly isEmpty: () => boolean;
  /** Whether all its progress is stored; until then the state still lists finished work as pending. */
  readonly isSaved: () => boolean;
  /** When its rest after failures ends, as it was stored; undefined if it has none. */
  readonly restsUntil: () => string | undefined;
  /** Hands over what is not stored yet; each change is handed over only once. */
  takeUnsaved(): Unsaved | undefined;
  /** To be called when what was taken has been stored. */
  saved(unsaved: Unsaved): void;
}

export interface LaneOptions {
  readonly subscriptionId: number;
  readonly owner: string;
  readonly host: string;
  readonly account: DeliveryAccount;
  /** The number of dead letters at the start. */
  readonly deadLetters: number;
  readonly limits: DeliveryLimits;
  /** The wait before the first attempt. */
  readonly restMs: number;
  /** Stored counts of failed attempts, by `webhook-id`. */
  readonly failedAttempts: Rest['failedAttempts'];
  readonly attempt: (message: EventMessage) => Promise<Outcome>;
  /** Resolves once all that is known of the subscription has had its effect: if it must not be sent to, the lane is stopped. */
  readonly settled: () => Promise<void>;
  /** Called when there is something to store. */
  readonly changed: (lane: Lane) => void;
  /** Stores all unsaved progress of all lanes. */
  readonly save: () => Promise<void>;
  /** Called when a change set can never be delivered because its new generation is missing or damaged. */
  readonly onAbandoned: (reason: string) => void;
}

export function createLane(options: LaneOptions): Lane {
  const { subscriptionId, owner, host, account, limits } = options;
  const queue = createDeliveryQueue();
  /** By `webhook-id`, for the current event of each piece of work. */
  const failedAttempts = new Map(Object.entries(options.failedAttempts));
  let { restMs, deadLetters } = options;
  let stopped = false;

  const lane: Lane = {
    subscriptionId,
    owner,
    host,
    has: queue.has,
    add: queue.add,
    run,
    stop: () => {
      stopped = true;
      // Counts whose write could wait are stored now.
      options.changed(lane);
    },
    isStopped: () => stopped,
    isEmpty: () => queue.first() === undefined,
    isSaved: () => !account.isUnsaved(),
    restsUntil: () => account.status().rest?.until,
    takeUnsaved: () => account.take({ last: stopped }),
    saved: (unsaved) => {
      account.saved(unsaved);
      queue.saved(unsaved);
    },
  };
  return lane;

  async function run(): Promise<Next> {
    if (restMs > 0) {
      const afterMs = restMs;
      restMs = 0;
      return { afterMs };
    }
    const endsAtMs = performance.now() + limits.sliceMs;
    while (!stopped) {
      const work = queue.first();
      if (!work) return 'idle';
      const message = currentOf(work);
      if (!message) {
        queue.shift();
        options.changed(lane);
        continue;
      }
      if (account.unsavedEvents() >= limits.unsavedMax) {
        await options.save();
        // The lane may have been stopped meanwhile.
        continue;
      }
      await options.settled();
      if (stopped) break;
      const afterMs = await deliver(work, message);
      if (afterMs > 0 || performance.now() > endsAtMs) return { afterMs };
    }
    return 'idle';
  }

  function currentOf(work: Work): EventMessage | undefined {
    try {
      return work.current();
    } catch (error) {
      if (!(error instanceof MissingGenerationError || error instanceof FormatError)) throw error;
      account.progressed(work.id, 'abandoned');
      options.onAbandoned(error.message);
      return undefined;
    }
  }

  /** Makes one attempt. Returns how long to wait before the next one, in milliseconds. */
  async function deliver(work: Work, message: EventMessage): Promise<number> {
    const outcome = await options.attempt(message);
    // The failure may come from the stop itself, which can cut connections.
    if (stopped && outcome.failure !== null) return 0;
    account.attempted(message, (failedAttempts.get(message.webhookId) ?? 0) + 1, outcome);
    options.changed(lane);
    return outcome.failure === null ? arrive(work, message) : fail(work, message, outcome);
  }

  function arrive(work: Work, { webhookId }: EventMessage): number {
    failedAttempts.delete(webhookId);
    account.arrived();
    if (work.kind === 'replay') {
      deadLetters--;
      // The replay arrived between two attempts of another event, whose count of failed attempts has to stay stored.
      if (failedAttempts.size > 0) restFor(0);
    }
    work.done('arrived');
    return 0;
  }

  function fail(work: Work, message: EventMessage, outcome: Failed): number {
    const failures = failedAttempts.get(message.webhookId) ?? 0;
    const { failuresInARow } = account.status();
    const lettersThen = work.kind === 'changes' ? deadLetters + 1 : undefined;
    const standing = { failedAttempts: failures, failuresInARow, deadLetters: lettersThen };
    const next = afterFailure(outcome, standing, limits);
    if (next.kind === 'retry') {
      failedAttempts.set(message.webhookId, failures + 1);
      account.willRetry();
      return restFor(next.afterMs);
    }
    failedAttempts.delete(message.webhookId);
    deadLetters = lettersThen ?? deadLetters;
    const letter = account.gaveUp(message, outcome);
    restFor(next.afterMs);
    work.done(letter);
    if (next.pause === undefined) return next.afterMs;
    account.pause(next.pause);
    stopped = true;
    return 0;
  }

  function restFor(afterMs: number): number {
    account.rests(afterMs, Object.fromEntries(failedAttempts));
    return afterMs;
  }
}
