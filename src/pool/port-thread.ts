import { EventEmitter } from 'node:events';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { deferred } from '../core/deferred.js';
import { type NativeGate, shutNativeGate } from '../platform/native-gate.js';
import { type Message, type Order, UP } from './protocol.js';
import { createThreadPool } from './thread-pool.js';
import { within } from './within.js';

/** A worker thread that serves a port, until the port is closed. */
export interface PortThread {
  /** Whether it has ever come up. */
  readonly cameUp: boolean;
  /** Resolves when it has come up, or has ended. */
  readonly up: Promise<void>;
  /** Resolves when it has ended: one that was terminated goes on for as long as V8 cannot interrupt it. */
  readonly ended: Promise<void>;
  order(message: Order): void;
  /** Takes the oldest message that has arrived and was not delivered yet; undefined if there is none. */
  take(): Report | undefined;
  /**
   * Terminates it, whatever it is doing, unless that is not wanted any more when it can be done: as soon as it is up, or this
   * many milliseconds later.
   */
  terminate(isWanted: () => boolean, graceMs?: number): Promise<void>;
  /** Closes the port, so that the thread ends when it has finished, which is no loss then. */
  leave(): void;
  /** Terminates it, and resolves when it has ended. Its gate must be shut. */
  destroy(): Promise<void>;
}

/** What a thread says once it is up. */
export type Report = Exclude<Message, typeof UP>;

export interface PortThreadOptions {
  readonly gate: NativeGate;
  readonly workerFile: URL | undefined;
  readonly onReport: (report: Report) => void;
  /** The thread has failed or had to be terminated. */
  readonly onThreadError: (error: unknown) => void;
  /** The thread is about to end, or has ended, although its port was not closed. */
  readonly onLost: () => void;
  readonly onEnded: () => void;
}

/** How long a thread that is to be terminated may take to come up (usually some tens of milliseconds). */
export const UP_MAX_MS = 10_000;

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
export function startPortThread(options: PortThreadOptions): PortThread {
  const { gate, onThreadError } = options;
  const { port1: port, port2: threadsPort } = new MessageChannel();
  // Not an AbortController: V8 would keep its signal, and all that hangs on it, until the next full collection.
  const signal = new EventEmitter();
  const [up, ended] = [deferred<void>(), deferred<void>()];
  let cameUp = false;
  /** Whether the end of the thread would be a loss. */
  let isServing = true;

  const pool = createThreadPool({ gate }, options.workerFile);
  pool.on('error', (error) => {
    // The thread did not serve the port: it has not come up, or has left the port before.
    onThreadError(error);
    if (!isServing) return;
    signal.emit('abort');
    lose();
  });
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
    options.onEnded();
  });
  port.on('message', (message: Message) => {
    if (message === UP) comeUp();
    else options.onReport(message);
  });
  served.catch((error: unknown) => {
    up.resolve();
    if (!isServing) return;
    onThreadError(error);
    lose();
  });
  return {
    get cameUp() {
      return cameUp;
    },
    up: up.promise,
    ended: ended.promise,
    order: (message) => port.postMessage(message),
    take: () => {
      for (;;) {
        // From the thread, which sends nothing else.
        const message: Message | undefined = receiveMessageOnPort(port)?.message;
        if (message !== UP) return message;
        comeUp();
      }
    },
    terminate: async (isWanted, graceMs = 0) => {
      await within(UP_MAX_MS, up.promise);
      if (cameUp && graceMs > 0) await within(graceMs, ended.promise);
      const openAgain = await shutNativeGate(gate);
      if (isWanted()) signal.emit('abort');
      openAgain();
    },
    leave: () => {
      isServing = false;
      port.close();
    },
    destroy: () => pool.destroy(),
  };

  function comeUp(): void {
    cameUp = true;
    up.resolve();
  }

  function lose(): void {
    isServing = false;
    options.onLost();
  }
}
