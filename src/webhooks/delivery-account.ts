import type { DeadLetter, Failed, Outcome } from './attempt.js';
import type { DeliveryStatus, Position, Rest } from './delivery-records.js';
import type { EventMessage } from './event-message.js';
import type { PauseReason } from './webhook-admin.js';
import { withOffset } from './with-offset.js';

/** How far a change set has been delivered. `finished`: completely. `abandoned`: the rest can never be delivered. */
export type Progress = { readonly position: Position; readonly waitingTracts: number } | 'finished' | 'abandoned';

/** The outcome of replaying a dead letter: it arrived, or the new letter if it failed again. */
export type Replayed = 'arrived' | DeadLetter;

/** What has happened in a subscription's deliveries and is not stored yet. */
export interface Unsaved {
  /** How many finished events this covers. */
  readonly events: number;
  /** By change set number. */
  readonly progress: ReadonlyMap<number, Progress>;
  readonly deadLetters: readonly DeadLetter[];
  /** By dead letter number. */
  readonly replayed: ReadonlyMap<number, Replayed>;
  /** Undefined if writing it can wait. */
  readonly status: DeliveryStatus | undefined;
  readonly pause: PauseReason | undefined;
}

/** The account of one subscription's deliveries: in memory, until the ledger stores what is new in it. */
export interface DeliveryAccount {
  readonly status: () => DeliveryStatus;
  /** How many finished events are not known to be stored, including those whose write is in progress. */
  unsavedEvents(): number;
  attempted(message: EventMessage, attempt: number, outcome: Outcome): void;
  willRetry(): void;
  arrived(): void;
  gaveUp(): void;
  /** Notes that, after a failure, nothing is sent for `forMs`. Cleared when an event arrives. */
  rests(forMs: number, failedAttempts: Rest['failedAttempts']): void;
  /** Makes the dead letter for a message that is given up with this outcome. */
  letterOf(message: EventMessage, outcome: Failed): DeadLetter;
  progressed(changeSetId: number, progress: Progress): void;
  deadLetter(letter: DeadLetter): void;
  replayed(deadLetterId: number, replayed: Replayed): void;
  pause(reason: PauseReason): void;
  /** Whether anything may be unstored, including what was taken and is still being written. */
  readonly isUnsaved: () => boolean;
  /** Hands over all that is not stored yet; undefined if there is nothing. `last`: includes counts that could wait. */
  take(options?: { readonly last: boolean }): Unsaved | undefined;
  /** To be called when a take has been stored. */
  saved(unsaved: Unsaved): void;
}

const RECENT_MAX = 20;
/** Successful attempts are sampled, one per this interval; without failures, the counts are also stored that often. */
const SAMPLE_MS = 1000;

export function createDeliveryAccount(stored: DeliveryStatus, now: () => Date): DeliveryAccount {
  let { rest, ...status } = stored;
  /** Finished events that are not stored yet, and how many of these were taken for writing. */
  let [events, eventsTaken] = [0, 0];
  /** Takes that are still being written. */
  let writing = 0;
  let progress = new Map<number, Progress>();
  let deadLetters: DeadLetter[] = [];
  let replays = new Map<number, Replayed>();
  let pause: PauseReason | undefined;
  /** Whether the next take must include the status. */
  let statusIsDue = false;
  let sampledAtMs = 0;
  /** Whether anything has changed since the last take, be it a count that can wait. */
  let dirty = false;
  /** Whether the status has changed since it was last taken. */
  let isStatusUnsaved = false;

  const set = (change: Partial<typeof status>): void => {
    status = { ...status, ...change };
    [dirty, isStatusUnsaved] = [true, true];
  };
  const whole = (): DeliveryStatus => ({ ...status, ...(rest && { rest }) });
  return {
    status: whole,
    unsavedEvents: () => events,
    attempted: ({ webhookId, event, geoid }, attempt, { status: code, failure, durationMs }) => {
      const time = now();
      const at = withOffset(time);
      // Either way: the clock may have been set back.
      const isDue = failure !== null || Math.abs(time.getTime() - sampledAtMs) >= SAMPLE_MS;
      set({ lastAttemptAt: at, ...(failure === null ? { lastSuccessAt: at } : {}) });
      if (!isDue) return;
      if (failure === null) sampledAtMs = time.getTime();
      statusIsDue = true;
      const entry = { at, webhookId, event, geoid, attempt, status: code, failure, durationMs };
      set({ recent: [entry, ...status.recent.slice(0, RECENT_MAX - 1)] });
    },
    willRetry: () => set({ retried: status.retried + 1 }),
    arrived: () => {
      events++;
      statusIsDue ||= rest !== undefined;
      rest = undefined;
      set({ delivered: status.delivered + 1, failuresInARow: 0 });
    },
    gaveUp: () => {
      events++;
      set({ failed: status.failed + 1, failuresInARow: status.failuresInARow + 1 });
    },
    rests: (forMs, failedAttempts) => {
      rest = { until: withOffset(new Date(now().getTime() + forMs)), failedAttempts };
      [statusIsDue, dirty] = [true, true];
    },
    letterOf: ({ webhookId, event, geoid, body }, { status: code, failure }) => ({
      webhookId,
      event,
      geoid,
      body,
      failedAt: withOffset(now()),
      status: code,
      failure,
    }),
    progressed: (changeSetId, reached) => {
      progress.set(changeSetId, reached);
      statusIsDue ||= typeof reached === 'string';
      dirty = true;
    },
    deadLetter: (letter) => {
      deadLetters.push(letter);
    },
    replayed: (deadLetterId, outcome) => {
      replays.set(deadLetterId, outcome);
      statusIsDue = true;
    },
    pause: (reason) => {
      pause = reason;
      set({ pausedBecause: reason });
    },
    isUnsaved: () => dirty || writing > 0,
    take: ({ last } = { last: false }) => {
      const takesStatus = statusIsDue || (last && isStatusUnsaved);
      if (!dirty && !takesStatus) return undefined;
      const unsaved = {
        events: events - eventsTaken,
        progress,
        deadLetters,
        replayed: replays,
        status: takesStatus ? whole() : undefined,
        pause,
      };
      if (takesStatus) isStatusUnsaved = false;
      [progress, deadLetters, replays, pause] = [new Map(), [], new Map(), undefined];
      [eventsTaken, statusIsDue, dirty] = [events, false, false];
      writing++;
      return unsaved;
    },
    saved: (unsaved) => {
      writing--;
      events -= unsaved.events;
      eventsTaken -= unsaved.events;
    },
  };
}
