import { type Deferred, deferred } from '../core/deferred.js';
import { type PortThread, type PortThreadOptions, type Report, startPortThread, UP_MAX_MS } from './port-thread.js';
import { type Batch, type BatchReply, type MappedDataset, toSent } from './protocol.js';
import { within } from './within.js';

/**
 * The place of one worker thread, which answers one batch at a time. It is free, or has an assignment, until it is closed:
 * because its thread was told to leave, or was lost. The thread may outlive the seat, in the middle of a search.
 */
export interface Seat extends Pick<PortThread, 'up' | 'ended' | 'destroy'> {
  /** What the thread works on; undefined if it is free. */
  readonly assignment: Assignment | undefined;
  /** Has the thread read a dataset, too. */
  attach(number: number, dataset: MappedDataset): void;
  /** Resolves when the thread does not read the dataset any more. Terminates it if it does not let go in time. */
  detach(number: number): Promise<void>;
  /** Gives the thread a batch from a dataset that is attached. It must be free. */
  give(assignment: Assignment): void;
  /** Delivers a message that has arrived since the event loop last polled for messages. */
  poll(): void;
  /**
   * Terminates the thread, whatever it is doing, unless that is not wanted any more when it can be done. One that has answered
   * nothing yet has {@link FIRST_MORE_MS} more.
   */
  terminate(isWanted: () => boolean): Promise<void>;
  /** Has the thread end when it has finished. */
  leave(): void;
}

/** A batch, the number of the dataset that it is about, and who waits for it. */
export interface Assignment {
  readonly from: number;
  readonly batch: Batch;
  readonly waiter: Waiter;
}

/** Notified exactly once of a batch's outcome. */
export interface Waiter {
  answered(reply: BatchReply): void;
  /** The batch's thread has ended. (A query that throws does not end its thread: the error is part of the reply.) */
  lost(): void;
}

export interface SeatOptions extends Pick<PortThreadOptions, 'gate' | 'workerFile' | 'onThreadError'> {
  /** The thread is free again; called before the waiter is notified. */
  readonly onFree: (seat: Seat) => void;
  /** The thread has had no batch for a while. */
  readonly onIdle: (seat: Seat) => void;
  /** The seat must not be used any more: its thread is about to end, or has ended. Its waiter is notified afterwards. */
  readonly onClosed: (seat: Seat) => void;
  /** The thread has ended although it should not, and the waiter has been notified. */
  readonly onLost: (lost: { readonly cameUp: boolean }) => void;
  /** The thread has ended. */
  readonly onEnded: (seat: Seat) => void;
}

const IDLE_AFTER_MS = 60_000;
/** How long a thread that is up may take to let go of a dataset before it is terminated. */
const DETACH_MAX_MS = 1_000;
/**
 * How much longer a thread may take for its first batch, counted from when it is up. It has to start and to run code that V8
 * has not compiled yet: if that took it longer than a search may take, and it was terminated for that, so would its successor
 * be. Then no search would be answered any more for as long as requests come.
 */
const FIRST_MORE_MS = 1_000;

/** Waits for the answer to a batch that nobody waits for any more. */
const NOBODY: Waiter = { answered: () => {}, lost: () => {} };

/** Starts a thread. Throws if none can be started. */
export function openSeat(options: SeatOptions): Seat {
  const { gate, workerFile, onThreadError } = options;
  let assignment: Assignment | undefined;
  let hasAnswered = false;
  /** The datasets that the thread has been told to let go of, until it has, or has ended. */
  const detaching = new Map<number, Deferred<void>>();
  const onEnded = (): void => options.onEnded(seat);
  const thread = startPortThread({ gate, workerFile, onThreadError, onReport: receive, onLost: lose, onEnded });
  const idle = setTimeout(() => options.onIdle(seat), IDLE_AFTER_MS).unref();
  const seat: Seat = {
    get assignment() {
      return assignment;
    },
    up: thread.up,
    ended: thread.ended,
    attach: (number, dataset) => thread.order({ attach: number, dataset }),
    detach,
    give: (given) => {
      assignment = given;
      const { from, batch } = given;
      thread.order({ ...batch, from, tasks: batch.tasks.map(toSent) });
    },
    poll: () => {
      const report = thread.take();
      if (report) receive(report);
    },
    terminate: (isWanted) => thread.terminate(isWanted, hasAnswered ? 0 : FIRST_MORE_MS),
    leave: () => {
      close();
      thread.leave();
    },
    destroy: thread.destroy,
  };
  return seat;

  function receive(report: Report): void {
    if ('detached' in report) detached(report.detached);
    else answered(report);
  }

  function answered(reply: BatchReply): void {
    // A late answer from a thread that is already considered lost: its batch has been given up.
    if (!assignment) return;
    hasAnswered = true;
    const { waiter } = assignment;
    assignment = undefined;
    idle.refresh();
    options.onFree(seat);
    waiter.answered(reply);
  }

  async function detach(number: number): Promise<void> {
    if (assignment?.from === number) assignment = { ...assignment, waiter: NOBODY };
    const done = deferred<void>();
    detaching.set(number, done);
    thread.order({ detach: number });
    // Where the processor is short, a thread takes longer to come up, which is no failure.
    await within(UP_MAX_MS, Promise.race([thread.up, done.promise]));
    await within(DETACH_MAX_MS, done.promise);
    const isWanted = (): boolean => detaching.has(number);
    if (!isWanted()) return;
    await thread.terminate(isWanted);
    await within(UP_MAX_MS, done.promise);
  }

  function detached(number: number): void {
    detaching.get(number)?.resolve();
    detaching.delete(number);
  }

  function close(): void {
    clearTimeout(idle);
    for (const number of [...detaching.keys()]) detached(number);
    options.onClosed(seat);
  }

  function lose(): void {
    const lost = assignment;
    assignment = undefined;
    // Nobody gives the seat another batch from here on.
    close();
    const answer = lost && lastAnswer();
    thread.leave();
    if (answer) lost.waiter.answered(answer);
    else lost?.waiter.lost();
    options.onLost({ cameUp: thread.cameUp });
  }

  /** The answer that the thread sent before it ended, perhaps after other messages: the event loop may report the end first. */
  function lastAnswer(): BatchReply | undefined {
    for (;;) {
      const report = thread.take();
      if (report === undefined || 'ok' in report) return report;
      receive(report);
    }
  }
}
