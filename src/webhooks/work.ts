import type { Changes } from './changes.js';
import type { DeliveryJournal } from './delivery-journal.js';
import type { ChangeSet, DeadLetter, Position } from './delivery-records.js';
import { createMessages, type EventMessage } from './event-message.js';
import { openEventStream } from './event-stream.js';
import type { Selection } from './selection.js';
import type { Subscription } from './subscription.js';

/**
 * A part of what a subscription is to be told, event by event; it notes in the subscription's journal how far it has
 * come.
 */
export interface Work {
  readonly kind: 'changes' | 'replay';
  /** The change set's number, or the dead letter's. */
  readonly id: number;
  /** The event that is due, the same until it is done; undefined at the end. */
  current(): EventMessage | undefined;
  /** The event that is due has arrived, or was given up. */
  done(end: 'arrived' | DeadLetter): void;
}

export interface ChangeWorkOptions {
  readonly changeSetId: number;
  readonly changeSet: ChangeSet;
  readonly position: Position;
  readonly subscription: Subscription;
  readonly selection: Selection;
  readonly journal: DeliveryJournal;
  /** Called once, when the first event is asked for; throws what {@link openChanges} throws. */
  readonly open: () => Changes;
}

/** What a subscription is still to hear of a change set. */
export function createChangeWork(options: ChangeWorkOptions): Work {
  const { changeSetId, changeSet, subscription, selection, journal } = options;
  const start = () => {
    const changes = options.open();
    return {
      stream: openEventStream(changes, selection, options.position),
      messageOf: createMessages(changeSet, subscription, changes),
    };
  };
  let started: ReturnType<typeof start> | undefined;
  let message: EventMessage | undefined;
  const current = (): EventMessage | undefined => {
    started ??= start();
    const due = started.stream.current();
    if (!due) journal.progressed(changeSetId, 'finished');
    message ??= due && started.messageOf(due);
    return message;
  };
  return {
    kind: 'changes',
    id: changeSetId,
    current,
    done: (end) => {
      if (!started) return;
      const { stream } = started;
      message = undefined;
      stream.advance();
      journal.progressed(changeSetId, { position: stream.position(), waitingTracts: stream.waitingTracts() });
      if (end !== 'arrived') journal.deadLetter(end);
    },
  };
}

/** A dead letter that is to be sent again. */
export function createReplayWork(id: number, letter: DeadLetter, journal: DeliveryJournal): Work {
  let waiting = true;
  return {
    kind: 'replay',
    id,
    current: () => (waiting ? letter : undefined),
    done: (end) => {
      waiting = false;
      journal.replayed(id, end);
    },
  };
}
