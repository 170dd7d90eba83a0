import type { DeadLetter } from '../attempt.js';
import type { ChangeSet, Position } from '../delivery-records.js';
import type { Changes } from '../events/changes.js';
import { createMessages, type EventMessage } from '../events/event-message.js';
import { openEventStream } from '../events/event-stream.js';
import type { Selection } from '../events/selection.js';
import type { Subscription } from '../subscription.js';
import type { DeliveryAccount } from './delivery-account.js';

/** A change set or a replayed dead letter, delivered event by event. Notes its progress in the subscription's account. */
export interface Work {
  readonly kind: 'changes' | 'replay';
  /** The change set's number, or the dead letter's. */
  readonly id: number;
  /** The next event, the same one until {@link Work.done}; undefined at the end. */
  current(): EventMessage | undefined;
  /** Notes that the current event arrived or, with its dead letter, that it was given up. */
  done(end: 'arrived' | DeadLetter): void;
}

export interface ChangeWorkOptions {
  readonly changeSetId: number;
  readonly changeSet: ChangeSet;
  readonly position: Position;
  readonly subscription: Subscription;
  readonly selection: Selection;
  readonly account: DeliveryAccount;
  /** Called when the first event is asked for, until it succeeds; throws what `openChanges` throws. */
  readonly open: () => Changes;
}

/** The events of a change set that a subscription has not received yet. */
export function createChangeWork(options: ChangeWorkOptions): Work {
  const { changeSetId, changeSet, subscription, selection, account } = options;
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
    if (!due) account.progressed(changeSetId, 'finished');
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
      account.progressed(changeSetId, { position: stream.position(), waitingTracts: stream.waitingTracts() });
      if (end !== 'arrived') account.deadLetter(end);
    },
  };
}

/** A dead letter that is to be sent again. */
export function createReplayWork(id: number, letter: DeadLetter, account: DeliveryAccount): Work {
  let waiting = true;
  return {
    kind: 'replay',
    id,
    current: () => (waiting ? letter : undefined),
    done: (end) => {
      waiting = false;
      account.replayed(id, end);
    },
  };
}
