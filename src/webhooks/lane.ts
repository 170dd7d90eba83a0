import { FormatError } from '../format/format-error.js';
import { MissingGenerationError } from './changes.js';
import type { DeliveryJournal, Unsaved } from './delivery-journal.js';
import { coolDownMs, type DeliveryLimits } from './delivery-limits.js';
import type { Rest } from './delivery-records.js';
import type { EventMessage } from './event-message.js';
import type { Outcome } from './sender.js';
import type { Work } from './work.js';

/** What comes after a turn: another one after a while (0: at once), or nothing until there is new work. */
export type Next = { readonly afterMs: number } | 'idle';

/** One subscription's deliveries: one event after the other, in their order. */
export interface Lane {
  readonly subscriptionId: number;
  readonly owner: string;
  /** Name and port of the receiver: what is limited together. */
  readonly host: string;
  /** Whether the lane has this work already, or has done it without its being stored yet. */
  has(kind: Work['kind'], id: number): boolean;
  /** Dead letters go first, changes after those that are there. */
  add(work: Work): void;
  /** Delivers for a while. */
  run(): Promise<Next>;
  /** Ends after the attempt that is under way, whose failure does not count any more. */
  stop(): void;
  readonly isStopped: () => boolean;
  /** Whether there is nothing to send. */
  readonly isEmpty: () => boolean;
  /** Whether all that it has done is stored: until then the state tells of work that is done. */
  readonly isSaved: () => boolean;
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
  const queue: Work[] = [];
  const known = new Set<string>();
  /** By `webhook-id`, for the event that is due of each work. */
  const failedAttempts = new Map(Object.entries(options.failedAttempts));
  let { restMs } = options;
  let letters = options.deadLetters;
  let stopped = false;
  /** Writes under way. */
  let saving = 0;

  const lane: Lane = {
    subscriptionId,
    owner,
    host,
    has: (kind, id) => known.has(nameOf({ kind, id })),
    add: (work) => {
      known.add(nameOf(work));
      const changesAt = queue.findIndex(({ kind }) => kind === 'changes');
      if (work.kind === 'replay' && changesAt >= 0) queue.splice(changesAt, 0, work);
      else queue.push(work);
    },
    run,
    stop: () => {
      stopped = true;
      // Counts that could wait until now.
      options.changed(lane);
    },
    isStopped: () => stopped,
    isEmpty: () => queue.length === 0,
    isSaved: () => saving === 0 && !journal.isUnsaved(),
    takeUnsaved: () => {
      const unsaved = journal.take({ last: stopped });
      if (unsaved) saving++;
      return unsaved;
    },
    saved: ({ progress, replayed }) => {
      saving--;
      for (const [id, reached] of progress)
        if (typeof reached === 'string') known.delete(nameOf({ kind: 'changes', id }));
      for (const id of replayed.keys()) known.delete(nameOf({ kind: 'replay', id }));
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
      const [work] = queue;
      if (!work) return 'idle';
      const message = currentOf(work);
      if (!message) {
        queue.shift();
        options.changed(lane);
        continue;
      }
      if (journal.unsavedEvents() >= limits.unsavedMax) await options.save();
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
    const failures = failedAttempts.get(message.webhookId) ?? 0;
    journal.attempted(message, failures + 1, outcome);
    options.changed(lane);
    if (outcome.failure === null) {
      failedAttempts.delete(message.webhookId);
      journal.arrived();
      if (work.kind === 'replay') {
        letters--;
        // It came between the attempts of an event whose turn it is again.
        if (failedAttempts.size > 0) restFor(0);
      }
      work.done('arrived');
      return 0;
    }
    const delayMs = isWorthRetrying(outcome) ? limits.retryDelaysMs[failures] : undefined;
    if (delayMs === undefined) return giveUp(work, message, outcome);
    failedAttempts.set(message.webhookId, failures + 1);
    journal.willRetry();
    return restFor(delayMs);
  }

  function giveUp(work: Work, message: EventMessage, outcome: Outcome): number {
    failedAttempts.delete(message.webhookId);
    journal.gaveUp();
    const afterMs = restFor(coolDownMs(limits, journal.status().failuresInARow));
    if (work.kind === 'changes') letters++;
    work.done(journal.letterOf(message, outcome));
    const inARow = journal.status().failuresInARow;
    if (inARow >= limits.pauseAfterFailures || letters >= limits.deadLettersMax) {
      journal.pause(inARow >= limits.pauseAfterFailures ? 'failures' : 'dead-letters');
      stopped = true;
      return 0;
    }
    return afterMs;
  }

  function restFor(afterMs: number): number {
    journal.rests(afterMs, Object.fromEntries(failedAttempts));
    return afterMs;
  }
}

/** SPEC 6.3: a 5xx, no answer at all. Other answers would be the same again, and so would be a refusal of our own. */
function isWorthRetrying({ status, failure }: Outcome): boolean {
  return failure === 'status' ? (status ?? 0) >= 500 : failure !== 'refused' && failure !== 'secret';
}

function nameOf({ kind, id }: Pick<Work, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}
