import { EventEmitter } from 'node:events';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { type Deferred, deferred } from '../core/deferred.js';
import { type NativeGate, shutNativeGate } from '../platform/native-gate.js';
import { type Batch, type BatchReply, type MappedDataset, type Message, type Order, UP } from './protocol.js';
import { createThreadPool } from './thread-pool.js';
import { within } from './within.js';

/** The place of one worker thread, which answers one batch at a time. */
export interface Seat {
  /** What the thread works on; undefined if it is free. */
  readonly assignment: Assignment | undefined;
  /** Resolves when the thread has come up, or has ended. */
  readonly up: Promise<void>;
  /** Resolves when the thread has ended: one that was terminated goes on for as long as V8 cannot interrupt it. */
  readonly ended: Promise<void>;
  /** Has the thread read a dataset, too. */
  attach(number: number, dataset: MappedDataset): void;
  /** Resolves when the thread does not read the dataset any more. Terminates it if it does not let go in time. */
  detach(number: number): Promise<void>;
  /** Gives the thread a batch from a dataset that is attached. It must be free. */
  give(assignment: Assignment): void;
  /** Delivers a message that has arrived since the event loop last polled for messages. */
  poll(): void;
  /** Terminates the thread, whatever it is doing, unless that is not wanted any more when it can be done. */
  terminate(isWanted: () => boolean): Promise<void>;
  /** Has the thread end when it has finished. */
  leave(): void;
  /** Terminates the thread, and resolves when it has ended. Its gate must be shut. */
  destroy(): Promise<void>;
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

export interface SeatOptions {
  readonly gate: NativeGate;
  readonly workerFile: URL | undefined;
  /** The thread has failed or had to be terminated. */
  readonly onThreadError: (error: unknown) => void;
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
/** How long a thread that is to be terminated may take to come up (usually some tens of milliseconds). */
export const UP_MAX_MS = 10_000;
/** How long a thread may take to let go of a dataset before it is terminated. */
const DETACH_MAX_MS = 1_000;

/** Waits for the answer to a batch that nobody waits for any more. */
const NOBODY: Waiter = { answered: () => {}, lost: () => {} };

/**
 * Starts a thread. Throws if none can be started.
 *
 * Piscina starts and ends the thread. It sees all batches of a thread as one task, which serves a port that carries the
 * batches and replies. With a Piscina task per batch, a search that comes alone would take 60 µs of the main thread instead
 * of 38, and the bookkeeping would outlive V8's young generation: at half of the highest rate the p99 was 7 ms instead of
 * 4.2 (`GET /v1/nearby`).
 *
 * Each thread has a pool of its own. A pool whose thread does not start keeps the task, with a promise that nobody has: in a
 * pool with other threads, one of these would later serve a port that nobody uses, or the promise would be rejected with
 * nobody to handle it. A pool without threads can simply be dropped.
 */
export function openSeat(options: SeatOptions): Seat {
  const { gate, onThreadError } = options;
  const { port1: port, port2: threadsPort } = new MessageChannel();
  // Not an AbortController: V8 would keep its signal, and all that hangs on it, until the next full collection.
  const signal = new EventEmitter();
  const [up, ended] = [deferred<void>(), deferred<void>()];
  /** The datasets that the thread has been told to let go of, until it has, or has ended. */
  const detaching = new Map<number, Deferred<void>>();
  let assignment: Assignment | undefined;
  let cameUp = false;
  let isOpen = true;

  const pool = createThreadPool({ gate }, options.workerFile);
  pool.on('error', (error) => {
    // The thread did not serve the port: it has not come up, or has left the port before.
    onThreadError(error);
    if (!isOpen) return;
    signal.emit('abort');
    lose();
  });
  const seat: Seat = {
    get assignment() {
      return assignment;
    },
    up: up.promise,
    ended: ended.promise,
    attach: (number, dataset) => order({ attach: number, dataset }),
    detach,
    give: (given) => {
      assignment = given;
      order({ from: given.from, ...given.batch });
    },
    poll: () => {
      const received = receiveMessageOnPort(port);
      if (received) receive(received.message);
    },
    terminate,
    leave: () => {
      close();
      port.close();
    },
    destroy: () => pool.destroy(),
  };
  let served: Promise<void>;
  try {
    served = pool.run(threadsPort, { transferList: [threadsPort], signal });
  } catch (error) {
    port.close();
    throw error;
  }
  // Piscina tells of an end when it has asked for it.
  pool.threads[0]?.once('exit', () => {
    ended.resolve();
    options.onEnded(seat);
  });
  const idle = setTimeout(() => options.onIdle(seat), IDLE_AFTER_MS).unref();
  port.on('message', receive);
  served.catch((error: unknown) => {
    up.resolve();
    if (!isOpen) return;
    onThreadError(error);
    lose();
  });
  return seat;

  function order(message: Order): void {
    port.postMessage(message);
  }

  function receive(message: Message): void {
    if (message === UP) {
      cameUp = true;
      up.resolve();
    } else if ('detached' in message) detached(message.detached);
    else answered(message);
  }

  function answered(reply: BatchReply): void {
    // A late answer from a thread that is already considered lost: its batch has been given up.
    if (!assignment) return;
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
    order({ detach: number });
    await within(DETACH_MAX_MS, done.promise);
    const isWanted = (): boolean => detaching.has(number);
    if (!isWanted()) return;
    await terminate(isWanted);
    await within(UP_MAX_MS, done.promise);
  }

  function detached(number: number): void {
    detaching.get(number)?.resolve();
    detaching.delete(number);
  }

  async function terminate(isWanted: () => boolean): Promise<void> {
    await within(UP_MAX_MS, up.promise);
    const openAgain = await shutNativeGate(gate);
    if (isWanted()) signal.emit('abort');
    openAgain();
  }

  function close(): void {
    isOpen = false;
    clearTimeout(idle);
    for (const number of [...detaching.keys()]) detached(number);
    options.onClosed(seat);
  }

  /** Gives up the thread, which has ended without having been let go. */
  function lose(): void {
    const lost = assignment;
    assignment = undefined;
    close();
    const answer = lost && lastAnswer();
    port.close();
    if (answer) lost.waiter.answered(answer);
    else lost?.waiter.lost();
    options.onLost({ cameUp });
  }

  /** The answer that the thread sent before it ended, perhaps after other messages: the event loop may report the end first. */
  function lastAnswer(): BatchReply | undefined {
    for (;;) {
      // From the thread, which sends nothing else.
      const message: Message | undefined = receiveMessageOnPort(port)?.message;
      if (message === undefined) return undefined;
      if (message !== UP && 'ok' in message) return message;
      receive(message);
    }
  }
}
