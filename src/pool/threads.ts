import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { deferred } from '../core/deferred.js';
import { createNativeGate, type NativeGate, shutNativeGate } from '../platform/native-gate.js';
import { type Batch, type BatchReply, UP, type WorkerSetup } from './protocol.js';

/** Worker threads, each of which answers one batch at a time. */
export interface Threads {
  /** Gives a batch to a thread that is free, or to a new one. There must be no more batches than there may be threads. */
  answer(batch: Batch, waiter: Waiter): void;
  /** Tells waiters of the answers that have come since the event loop looked for messages. */
  takeAnswers(): void;
  /** Ends the thread that works on this waiter's batch, in the middle of whatever it does, unless it answers before. */
  end(waiter: Waiter): void;
  /** Ends the threads. Nobody is told any more. */
  close(): Promise<void>;
}

/** Told once what became of a batch. */
export interface Waiter {
  answered(reply: BatchReply): void;
  /** Its thread has ended. A query's throw comes as a value: it ends none. */
  lost(): void;
}

export interface ThreadsOptions extends Pick<WorkerSetup, 'dataset'> {
  /** At most so many; one is kept, the others end when they have had nothing to do for a while. */
  readonly threads: number;
  /** Told of each thread that failed or had to be ended. */
  readonly onThreadError: (error: unknown) => void;
  /** The compiled worker; only tests that run from sources name it. */
  readonly workerFile?: URL;
}

/** A thread, for as long as it has one batch after another to answer. */
interface Seat {
  readonly port: MessagePort;
  /** Takes a message of its thread. */
  readonly receive: (message: BatchReply | typeof UP) => void;
  /** Resolves when its thread has come up, or has ended. */
  readonly up: Promise<void>;
  /** Tells Piscina by its `abort` to end the thread. */
  readonly signal: EventEmitter;
  /** Ends it as a seat when it has had nothing to do for a while; its thread may then end, too. */
  readonly idle: NodeJS.Timeout;
  /** Who waits for its batch; undefined where it has none. */
  waiter: Waiter | undefined;
}

/** After so long without a batch a thread is let go, and soon after it ends. */
const IDLE_TIMEOUT_MS = 60_000;
const THREAD_IDLE_TIMEOUT_MS = 1_000;
/** A thread takes some tens of milliseconds to come up. One that does not is ended nevertheless. */
const UP_MAX_MS = 10_000;

/**
 * Opens a set of worker threads and starts the first; further ones start when batches need them.
 *
 * To Piscina, which starts, counts, ends and replaces threads, all batches of a thread are one task, that of serving a port
 * by which batches and replies pass. A task for each batch would take 60 µs of the main thread instead of 38, where one search
 * comes at a time, and its bookkeeping outlives the young generation: at half of the highest rate the p99 was 7 ms instead of
 * 4.2 (`GET /v1/nearby`).
 */
export function startThreads(options: ThreadsOptions): Threads {
  const { onThreadError } = options;
  const gate = createNativeGate(0);
  let pool = createPool(options, gate, failed);
  const seats = new Set<Seat>();
  /** The last that became free is taken first: the others have time to end. */
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
      // Piscina does not tell which of its threads have come up; those that are at work do.
      while (seats.size < pool.threads.length) open();
      await within(UP_MAX_MS, Promise.all([...seats].map(({ up }) => up)));
      for (const { idle, port } of seats) {
        clearTimeout(idle);
        port.close();
      }
      await shutNativeGate(gate);
      await pool.destroy();
    },
  };

  function open(): Seat {
    const { port1: port, port2: workersPort } = new MessageChannel();
    // Not an AbortController: V8 keeps the object of its signal, and all that came with it, until the next full collection.
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
      // What a thread that is lost has answered at last: its batch has been given up.
      if (!waiter) return;
      seat.waiter = undefined;
      free.push(seat);
      idle.refresh();
      waiter.answered(message);
    };
    const seat: Seat = { port, receive, idle, up: up.promise, signal, waiter: undefined };
    port.on('message', receive);
    seats.add(seat);
    run(seat, workersPort).catch((error: unknown) => {
      up.resolve();
      if (closing || !seats.has(seat)) return;
      onThreadError(error);
      lose(seat);
      if (cameUp) startAhead();
    });
    return seat;
  }

  /**
   * Takes the last one's place before it is needed. One that never came up is left to the next request, which is told
   * why.
   */
  function startAhead(): void {
    if (seats.size > 0) return;
    try {
      free.push(open());
    } catch (error) {
      onThreadError(error);
    }
  }

  /** Has a thread serve the seat's port. Throws where none can be started. */
  function run(seat: Seat, workersPort: MessagePort): Promise<void> {
    try {
      return pool.run(workersPort, { transferList: [workersPort], signal: seat.signal });
    } catch (error) {
      if (pool.threads.length === 0) {
        // Piscina keeps the task for its next thread, which would serve a port that nobody is at.
        remove(seat);
        pool = createPool(options, gate, failed);
      }
      throw error;
    }
  }

  async function end(seat: Seat, waiter: Waiter): Promise<void> {
    await within(UP_MAX_MS, seat.up);
    const openAgain = await shutNativeGate(gate);
    // Meanwhile the thread may have answered, and may have the next batch.
    if (seat.waiter === waiter) seat.signal.emit('abort');
    openAgain();
  }

  /** Lets its thread go, unless it is the last or has something to do; its next answer sets the time anew. */
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

  /** A thread ended that served no seat: it may be one that did not come up. */
  function failed(error: unknown): void {
    onThreadError(error);
    if (closing || pool.threads.length > 0) return;
    // Every seat that is left waits for a thread that Piscina would start with its next task only: they are given up.
    for (const seat of [...seats]) {
      seat.signal.emit('abort');
      lose(seat);
    }
  }

  /** Its thread ended, and not because it was let go, or it never had one. */
  function lose(seat: Seat): void {
    const { waiter, port } = seat;
    seat.waiter = undefined;
    remove(seat);
    const answer = waiter && lastAnswer(port);
    port.close();
    if (answer) waiter.answered(answer);
    else waiter?.lost();
  }
}

/** What a thread answered before it ended: the event loop may hear of its end first. */
function lastAnswer(port: MessagePort): BatchReply | undefined {
  let received = receiveMessageOnPort(port);
  if (received?.message === UP) received = receiveMessageOnPort(port);
  return received?.message;
}

/** Waits for a promise, but no longer than so. */
async function within(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}

const load = createRequire(import.meta.url);
/** Found at once: what Node fails to find for want of a file descriptor, it does not find for as long as it runs. */
const PISCINA = load.resolve('piscina');

function createPool(options: ThreadsOptions, gate: NativeGate, onError: (error: unknown) => void) {
  const { dataset, threads, workerFile } = options;
  const { directory, mappings } = dataset;
  // Loaded with the first thread, and not before the first answers.
  const piscina: typeof import('piscina') = load(PISCINA);
  const setup: WorkerSetup = { dataset: { directory, mappings }, gate };
  const pool: Piscina<MessagePort, void> = new piscina.Piscina({
    filename: fileURLToPath(workerFile ?? new URL('./worker.js', import.meta.url)),
    name: 'serve',
    workerData: setup,
    // With a minimum, Piscina replaces a thread that ended by itself; where that fails, it throws where nobody can catch it.
    minThreads: 0,
    maxThreads: threads,
    // A thread that ended may still be counted when its place is taken.
    maxQueue: threads,
    idleTimeout: THREAD_IDLE_TIMEOUT_MS,
    recordTiming: false,
  });
  pool.on('error', onError);
  return pool;
}
