import type { DeadLetter, Failed, Outcome } from '../attempt.js';
import type { DeliveryStatus, PauseReason, Position, Rest } from '../delivery-records.js';
import type { EventMessage } from '../events/event-message.js';
import { withOffset } from '../with-offset.js';

/** How far a change set has been delivered. `finished`: completely. `abandoned`: the rest can never be delivered. */
export type Progress = { readonly position: Position; readonly waitingTracts: number } | 'finished' | 'abandoned';

/** Whether nothing of a change set is left to deliver, for better or worse. */
export const isOver = (progress: Progress): progress is Extract<Progress, string> => typeof progress === 'string';

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
  /** Notes that the event is given up with this outcome, and makes its dead letter. */
  gaveUp(message: EventMessage, outcome: Failed): DeadLetter;
  /** Notes that, after a failure, nothing is sent for `forMs`. Cleared when an event arrives. */
  rests(forMs: number, failedAttempts: Rest['failedAttempts']): void;
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
  /** The status that was last handed over. */
  let statusTaken = status;
  let unsaved = nothing();
  /** What was handed over and is still being written. */
  const writing = new Set<Unsaved>();
  let sampledAtMs = 0;

  const set = (change: Partial<typeof status>): void => {
    status = { ...status, ...change };
    unsaved.isChanged = true;
  };
  const whole = (): DeliveryStatus => ({ ...status, ...(rest && { rest }) });
  return {
    status: whole,
    unsavedEvents: () => {
      let { events } = unsaved;
      for (const taken of writing) events += taken.events;
      return events;
    },
    attempted: ({ webhookId, event, geoid }, attempt, { status: code, failure, durationMs }) => {
      const time = now();
      const at = withOffset(time);
      // Either way: the clock may have been set back.
      const isDue = failure !== null || Math.abs(time.getTime() - sampledAtMs) >= SAMPLE_MS;
      set({ lastAttemptAt: at, ...(failure === null ? { lastSuccessAt: at } : {}) });
      if (!isDue) return;
      if (failure === null) sampledAtMs = time.getTime();
      unsaved.statusIsDue = true;
      const entry = { at, webhookId, event, geoid, attempt, status: code, failure, durationMs };
      set({ recent: [entry, ...status.recent.slice(0, RECENT_MAX - 1)] });
    },
    willRetry: () => set({ retried: status.retried + 1 }),
    arrived: () => {
      unsaved.events++;
      unsaved.statusIsDue ||= rest !== undefined;
      rest = undefined;
      set({ delivered: status.delivered + 1, failuresInARow: 0 });
    },
    gaveUp: (message, outcome) => {
      unsaved.events++;
      set({ failed: status.failed + 1, failuresInARow: status.failuresInARow + 1 });
      return deadLetterOf(message, outcome, now());
    },
    rests: (forMs, failedAttempts) => {
      rest = { until: withOffset(new Date(now().getTime() + forMs)), failedAttempts };
      [unsaved.statusIsDue, unsaved.isChanged] = [true, true];
    },
    progressed: (changeSetId, reached) => {
      unsaved.progress.set(changeSetId, reached);
      unsaved.statusIsDue ||= isOver(reached);
      unsaved.isChanged = true;
    },
    deadLetter: (letter) => {
      unsaved.deadLetters.push(letter);
    },
    replayed: (deadLetterId, outcome) => {
      unsaved.replayed.set(deadLetterId, outcome);
      unsaved.statusIsDue = true;
    },
    pause: (reason) => {
      unsaved.pause = reason;
      set({ pausedBecause: reason });
    },
    isUnsaved: () => unsaved.isChanged || writing.size > 0,
    take: ({ last } = { last: false }) => {
      const { isChanged, statusIsDue, ...collected } = unsaved;
      const takesStatus = statusIsDue || (last && status !== statusTaken);
      if (!isChanged && !takesStatus) return undefined;
      const taken = { ...collected, status: takesStatus ? whole() : undefined };
      if (takesStatus) statusTaken = status;
      unsaved = nothing();
      writing.add(taken);
      return taken;
    },
    saved: (taken) => {
      writing.delete(taken);
    },
  };
}

/** What has happened since something was last handed over. */
interface Collected extends Omit<Unsaved, 'status'> {
  events: number;
  readonly progress: Map<number, Progress>;
  readonly deadLetters: DeadLetter[];
  readonly replayed: Map<number, Replayed>;
  pause: PauseReason | undefined;
  /** Whether the status must be handed over with it. */
  statusIsDue: boolean;
  /** Whether anything has happened, be it a count that can wait. */
  isChanged: boolean;
}

function nothing(): Collected {
  return {
    events: 0,
    progress: new Map(),
    deadLetters: [],
    replayed: new Map(),
    pause: undefined,
    statusIsDue: false,
    isChanged: false,
  };
}

function deadLetterOf(
  { webhookId, event, geoid, body }: EventMessage,
  { status, failure }: Failed,
  at: Date,
): DeadLetter {
  return { webhookId, event, geoid, body, failedAt: withOffset(at), status, failure };
}
