import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { deferred } from '../core/deferred.js';
import { createNativeGate, type NativeGate, shutNativeGate } from '../platform/native-gate.js';
import { type Batch, type BatchReply, UP, type WorkerSetup } from './protocol.js';

/** A set of worker threads, each of which answers one batch at a time. */
export interface Threads {
  /** Gives a batch to a free thread, or to a new one. There must never be more open batches than `threads`. */
  answer(batch: Batch, waiter: Waiter): void;
  /** Delivers answers that have arrived since the event loop last polled for messages. */
  takeAnswers(): void;
  /** Terminates the thread that works on this waiter's batch, whatever it is doing, unless it answers before. */
  end(waiter: Waiter): void;
  /** Terminates the threads. Waiters are not notified any more. */
  close(): Promise<void>;
}

/** Notified exactly once of a batch's outcome. */
export interface Waiter {
  answered(reply: BatchReply): void;
  /** The batch's thread has ended. (A query that throws does not end its thread: the error is part of the reply.) */
  lost(): void;
}

export interface ThreadsOptions extends Pick<WorkerSetup, 'dataset'> {
  /** The most threads at a time. One is kept; the others end when they have had nothing to do for a while. */
  readonly threads: number;
  /** Called for each thread that failed or had to be terminated. */
  readonly onThreadError: (error: unknown) => void;
  /** The compiled worker; set only by tests that run from sources. */
  readonly workerFile?: URL;
}

/** A thread that serves a port, for as long as it answers one batch after another. */
interface Seat {
  readonly port: MessagePort;
  /** Handles a message from the seat's thread. */
  readonly receive: (message: BatchReply | typeof UP) => void;
  /** Resolves when the seat's thread has come up, or has ended. */
  readonly up: Promise<void>;
  /** Emits `abort` to have Piscina terminate the thread. */
  readonly signal: EventEmitter;
  /** Closes the seat when it has had nothing to do for a while; its thread may then end, too. */
  readonly idle: NodeJS.Timeout;
  /** Waits for the seat's current batch; undefined if the seat has none. */
  waiter: Waiter | undefined;
}

/** A seat is closed after this long without a batch, and its thread ends soon after. */
const IDLE_TIMEOUT_MS = 60_000;
const THREAD_IDLE_TIMEOUT_MS = 1_000;
/** How long a thread that is to be terminated may take to come up (usually some tens of milliseconds). */
const UP_MAX_MS = 10_000;

/**
 * Opens a set of worker threads and starts the first; further ones start when batches need them.
 *
 * Piscina starts and ends the threads. It sees all batches of a thread as one task, which serves a port that carries the
 * batches and replies. With a Piscina task per batch, a search that comes alone would take 60 µs of the main thread instead
 * of 38, and the bookkeeping would outlive V8's young generation: at half of the highest rate the p99 was 7 ms instead of
 * 4.2 (`GET /v1/nearby`).
 *
 * Each thread has a pool of its own. A pool whose thread does not start keeps the task, with a promise that nobody has: in a
 * pool with other threads, one of these would later serve a port that nobody uses, or the promise would be rejected with
 * nobody to handle it. A pool without threads can simply be dropped.
 */
export function startThreads(options: ThreadsOptions): Threads {
  const { onThreadError } = options;
  const gate = createNativeGate(0);
  /** The threads that have not ended, by their pools: each is up when its promise has resolved. */
  const pools = new Map<ThreadPool, Promise<void>>();
  const seats = new Set<Seat>();
  /** A stack: the seat that became free last is taken first, so that the others can become idle and end. */
  const free: Seat[] = [];
  let closing = false;
  free.push(open());

  return {
    answer: (batch, waiter) => {
      const seat = free.pop() ?? open();
      seat.waiter = waiter;
      seat.port.postMessage(batch);
    },
    takeAnswers: () => {
      for (const { port, waiter, receive } of seats) {
        const received = waiter && receiveMessageOnPort(port);
        if (received) receive(received.message);
      }
    },
    end: (waiter) => {
      const seat = [...seats].find((one) => one.waiter === waiter);
      if (seat) void end(seat, waiter);
    },
    close: async () => {
      closing = true;
      await within(UP_MAX_MS, Promise.all(pools.values()));
      for (const { idle, port } of seats) {
        clearTimeout(idle);
        port.close();
      }
      await shutNativeGate(gate);
      await Promise.all([...pools.keys()].map((pool) => pool.destroy()));
    },
  };

  /** Starts a thread on a new seat. Throws if no thread can be started. */
  function open(): Seat {
    const { port1: port, port2: workersPort } = new MessageChannel();
    // Not an AbortController: V8 would keep its signal, and all that hangs on it, until the next full collection.
    const signal = new EventEmitter();
    const idle = setTimeout(() => leave(seat), IDLE_TIMEOUT_MS).unref();
    const up = deferred<void>();
    let cameUp = false;
    const receive = (message: BatchReply | typeof UP): void => {
      if (message === UP) {
        cameUp = true;
        up.resolve();
        return;
      }
      const { waiter } = seat;
      // A late answer from a thread that is already considered lost: its batch has been given up.
      if (!waiter) return;
      seat.waiter = undefined;
      free.push(seat);
      idle.refresh();
      waiter.answered(message);
    };
    const seat: Seat = { port, receive, idle, up: up.promise, signal, waiter: undefined };
    let served: Promise<void>;
    try {
      served = run(seat, workersPort);
    } catch (error) {
      clearTimeout(idle);
      port.close();
      throw error;
    }
    port.on('message', receive);
    seats.add(seat);
    served.catch((error: unknown) => {
      up.resolve();
      if (closing || !seats.has(seat)) return;
      onThreadError(error);
      lose(seat);
      if (cameUp) startAhead();
    });
    return seat;
  }

  /**
   * Replaces the last thread before it is needed. (A thread that never came up is not replaced here but by the next batch,
   * which then fails with the reason.)
   */
  function startAhead(): void {
    if (seats.size > 0) return;
    try {
      free.push(open());
    } catch (error) {
      onThreadError(error);
    }
  }

  /** Has a new thread serve the seat's port. */
  function run(seat: Seat, workersPort: MessagePort): Promise<void> {
    const pool = createPool(options, gate);
    pool.on('error', (error) => failed(seat, error));
    pool.once('workerDestroy', () => pools.delete(pool));
    const served = pool.run(workersPort, { transferList: [workersPort], signal: seat.signal });
    pools.set(pool, seat.up);
    return served;
  }

  async function end(seat: Seat, waiter: Waiter): Promise<void> {
    await within(UP_MAX_MS, seat.up);
    const openAgain = await shutNativeGate(gate);
    // The thread may have answered by now, and may even have the next batch.
    if (seat.waiter === waiter) seat.signal.emit('abort');
    openAgain();
  }

  /** Closes an idle seat, unless it is the last or has a batch, whose answer will restart the idle timer. */
  function leave(seat: Seat): void {
    if (seat.waiter || seats.size === 1) return;
    remove(seat);
    seat.port.close();
  }

  function remove(seat: Seat): void {
    clearTimeout(seat.idle);
    seats.delete(seat);
    const place = free.indexOf(seat);
    if (place >= 0) free.splice(place, 1);
  }

  /** A thread has ended that did not serve its seat: it has not come up, or has left the seat before. */
  function failed(seat: Seat, error: unknown): void {
    onThreadError(error);
    if (closing || !seats.has(seat)) return;
    seat.signal.emit('abort');
    lose(seat);
  }

  /** Gives up a seat whose thread has ended without having been let go, or that never had one. */
  function lose(seat: Seat): void {
    const { waiter, port } = seat;
    seat.waiter = undefined;
    remove(seat);
    const answer = waiter && lastAnswer(seat);
    port.close();
    if (answer) waiter.answered(answer);
    else waiter?.lost();
  }
}

/** The answer that a thread sent before it ended, perhaps after having come up: the event loop may report the end first. */
function lastAnswer({ port, receive }: Seat): BatchReply | undefined {
  let received = receiveMessageOnPort(port);
  if (received?.message === UP) {
    receive(UP);
    received = receiveMessageOnPort(port);
  }
  return received?.message;
}

/** Waits until a promise resolves or the time is up. Rejects if the promise does. */
async function within(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}

const load = createRequire(import.meta.url);
/** Resolved at load time: if Node fails to resolve a module for want of a file descriptor, it never finds it again. */
const PISCINA = load.resolve('piscina');

type ThreadPool = Piscina<MessagePort, void>;

/** A pool of one thread, which starts with its first task. */
function createPool({ dataset, workerFile }: ThreadsOptions, gate: NativeGate): ThreadPool {
  const { directory, mappings } = dataset;
  // Loaded with the first thread, so that the service's first answers do not wait for it.
  const piscina: typeof import('piscina') = load(PISCINA);
  const setup: WorkerSetup = { dataset: { directory, mappings }, gate };
  return new piscina.Piscina({
    filename: fileURLToPath(workerFile ?? new URL('./worker.js', import.meta.url)),
    name: 'serve',
    workerData: setup,
    // With a minimum, Piscina would replace an ended thread by itself, and throw where nobody can catch if that fails.
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: THREAD_IDLE_TIMEOUT_MS,
    recordTiming: false,
  });
}
