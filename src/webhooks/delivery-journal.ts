import type { DeadLetter, DeliveryStatus, Position, Rest } from './delivery-records.js';
import type { EventMessage } from './event-message.js';
import type { Outcome } from './sender.js';
import type { PauseReason } from './webhook-admin.js';
import { withOffset } from './with-offset.js';

/** How far a subscription has come in a change set. `finished`: it has heard of all of it. `abandoned`: it never can. */
export type Progress = { readonly position: Position; readonly waitingTracts: number } | 'finished' | 'abandoned';

/** What became of a dead letter that was sent again; the new letter where it failed again. */
export type Replayed = 'arrived' | DeadLetter;

/** What has happened to a subscription and is not stored yet. */
export interface Unsaved {
  /** Events done that this tells of. */
  readonly events: number;
  /** By change set. */
  readonly progress: ReadonlyMap<number, Progress>;
  readonly deadLetters: readonly DeadLetter[];
  /** By dead letter. */
  readonly replayed: ReadonlyMap<number, Replayed>;
  /** Left out where it may wait. */
  readonly status: DeliveryStatus | undefined;
  readonly pause: PauseReason | undefined;
}

/** Keeps account of one subscription's deliveries. */
export interface DeliveryJournal {
  readonly status: () => DeliveryStatus;
  /** Events done that are not known to be stored: also those that were taken and whose writing is under way. */
  unsavedEvents(): number;
  attempted(message: EventMessage, attempt: number, outcome: Outcome): void;
  willRetry(): void;
  arrived(): void;
  gaveUp(): void;
  /** After a failure: nothing is sent for so long. Forgotten when an event arrives. */
  rests(forMs: number, failedAttempts: Rest['failedAttempts']): void;
  /** The letter of a message that is given up after this outcome. */
  letterOf(message: EventMessage, outcome: Outcome): DeadLetter;
  progressed(changeSetId: number, progress: Progress): void;
  deadLetter(letter: DeadLetter): void;
  replayed(deadLetterId: number, replayed: Replayed): void;
  pause(reason: PauseReason): void;
  /** Whether anything may not be stored yet: also while what was taken is being written. */
  readonly isUnsaved: () => boolean;
  /** All that is not stored yet, once; undefined where nothing is. `last`: also of the counts what could wait. */
  take(options?: { readonly last: boolean }): Unsaved | undefined;
  /** What was taken is stored. */
  saved(unsaved: Unsaved): void;
}

const RECENT_MAX = 20;
/** Of what arrives, one attempt in such a time is shown; and so often the counts are stored, where nothing failed. */
const SAMPLE_MS = 1000;

export function createDeliveryJournal(stored: DeliveryStatus, now: () => Date): DeliveryJournal {
  let { rest, ...status } = stored;
  /** Those that are not stored yet, and how many of them were taken. */
  let [events, eventsTaken] = [0, 0];
  /** Takes that are not stored yet. */
  let writing = 0;
  let progress = new Map<number, Progress>();
  let deadLetters: DeadLetter[] = [];
  let replays = new Map<number, Replayed>();
  let pause: PauseReason | undefined;
  let statusIsDue = false;
  let sampledAtMs = 0;
  let dirty = false;
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
      const isDue = failure !== null || time.getTime() - sampledAtMs >= SAMPLE_MS;
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
      failure: failure ?? 'status',
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
