import { FormatError } from '../format/format-error.js';
import { afterFailure } from './after-failure.js';
import { MissingGenerationError } from './changes.js';
import type { DeliveryJournal, Unsaved } from './delivery-journal.js';
import type { DeliveryLimits } from './delivery-limits.js';
import type { Rest } from './delivery-records.js';
import type { EventMessage } from './event-message.js';
import type { Outcome } from './sender.js';
import type { Work } from './work.js';
import { createWorkList, type WorkList } from './work-list.js';

/** What comes after a turn: another one after a while (0: at once), or nothing until there is new work. */
export type Next = { readonly afterMs: number } | 'idle';

/** One subscription's deliveries: one event after the other, in their order. */
export interface Lane {
  readonly subscriptionId: number;
  readonly owner: string;
  /** Name and port of the receiver: what is limited together. */
  readonly host: string;
  /** {@link WorkList.has} */
  readonly has: WorkList['has'];
  /** {@link WorkList.add} */
  readonly add: WorkList['add'];
  /** Delivers for a while. */
  run(): Promise<Next>;
  /** Ends after the attempt that is under way, whose failure does not count any more. */
  stop(): void;
  readonly isStopped: () => boolean;
  /** Whether there is nothing to send. */
  readonly isEmpty: () => boolean;
  /** Whether all that it has done is stored: until then the state tells of work that is done. */
  readonly isSaved: () => boolean;
  /** Its rest after failures, as it has it stored; undefined where it has none. */
  readonly restsUntil: () => string | undefined;
  /** What is not stored yet, once. */
  takeUnsaved(): Unsaved | undefined;
  /** What was taken is stored. */
  saved(unsaved: Unsaved): void;
}

export interface LaneOptions {
  readonly subscriptionId: number;
  readonly owner: string;
  readonly host: string;
  readonly journal: DeliveryJournal;
  /** Dead letters that there are already. */
  readonly deadLetters: number;
  readonly limits: DeliveryLimits;
  /** How long it has to wait before its first attempt. */
  readonly restMs: number;
  /** Failed attempts of before, by `webhook-id`. */
  readonly failedAttempts: Rest['failedAttempts'];
  readonly attempt: (message: EventMessage) => Promise<Outcome>;
  /** Told when there is something to store. */
  readonly changed: (lane: Lane) => void;
  /** Stores all that there is to store. */
  readonly save: () => Promise<void>;
  /** Told of changes that the subscriber can never be told of, since a generation is gone. */
  readonly onAbandoned: (changeSetId: number, reason: string) => void;
}

export function createLane(options: LaneOptions): Lane {
  const { subscriptionId, owner, host, journal, limits } = options;
  const works = createWorkList();
  /** By `webhook-id`, for the event that is due of each work. */
  const failedAttempts = new Map(Object.entries(options.failedAttempts));
  let { restMs, deadLetters } = options;
  let stopped = false;

  const lane: Lane = {
    subscriptionId,
    owner,
    host,
    has: works.has,
    add: works.add,
    run,
    stop: () => {
      stopped = true;
      // Counts that could wait until now.
      options.changed(lane);
    },
    isStopped: () => stopped,
    isEmpty: () => works.first() === undefined,
    isSaved: () => !journal.isUnsaved(),
    restsUntil: () => journal.status().rest?.until,
    takeUnsaved: () => journal.take({ last: stopped }),
    saved: (unsaved) => {
      journal.saved(unsaved);
      works.saved(unsaved);
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
      const work = works.first();
      if (!work) return 'idle';
      const message = currentOf(work);
      if (!message) {
        works.shift();
        options.changed(lane);
        continue;
      }
      if (journal.unsavedEvents() >= limits.unsavedMax) {
        await options.save();
        // Meanwhile it may have been stopped.
        continue;
      }
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
      journal.progressed(work.id, 'abandoned');
      options.onAbandoned(work.id, error.message);
      return undefined;
    }
  }

  /** One attempt. Gives how long to wait for the next one. */
  async function deliver(work: Work, message: EventMessage): Promise<number> {
    const outcome = await options.attempt(message);
    // Whoever stops a lane may also cut its connections.
    if (stopped && outcome.failure !== null) return 0;
    journal.attempted(message, (failedAttempts.get(message.webhookId) ?? 0) + 1, outcome);
    options.changed(lane);
    return outcome.failure === null ? arrive(work, message) : fail(work, message, outcome);
  }

  function arrive(work: Work, { webhookId }: EventMessage): number {
    failedAttempts.delete(webhookId);
    journal.arrived();
    if (work.kind === 'replay') {
      deadLetters--;
      // It came between the attempts of an event whose turn it is again.
      if (failedAttempts.size > 0) restFor(0);
    }
    work.done('arrived');
    return 0;
  }

  function fail(work: Work, message: EventMessage, outcome: Outcome): number {
    const failures = failedAttempts.get(message.webhookId) ?? 0;
    const { failuresInARow } = journal.status();
    const lettersThen = work.kind === 'changes' ? deadLetters + 1 : deadLetters;
    const standing = { failedAttempts: failures, failuresInARow, deadLetters: lettersThen };
    const next = afterFailure(outcome, standing, limits);
    if (next.kind === 'retry') {
      failedAttempts.set(message.webhookId, failures + 1);
      journal.willRetry();
      return restFor(next.afterMs);
    }
    failedAttempts.delete(message.webhookId);
    deadLetters = lettersThen;
    journal.gaveUp();
    restFor(next.afterMs);
    work.done(journal.letterOf(message, outcome));
    if (next.pause === undefined) return next.afterMs;
    journal.pause(next.pause);
    stopped = true;
    return 0;
  }

  function restFor(afterMs: number): number {
    journal.rests(afterMs, Object.fromEntries(failedAttempts));
    return afterMs;
  }
}
