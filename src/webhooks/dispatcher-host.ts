import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { libc } from '../libc.js';
import type { StateStore } from '../state/store.js';
import { cursorRecords, replayRecords } from './delivery-records.js';
import type { DispatcherOrder, DispatcherReport, DispatcherSetup } from './dispatcher-protocol.js';

/** Sees to it that one thread on the machine delivers what the state directory holds, while there is something to deliver. */
export interface DispatcherHost {
  /** There may be something new. */
  nudge(): void;
  /** Lets attempts under way finish, up to the timeout, and stores what has been done. */
  stop(timeoutMs: number): Promise<void>;
}

export interface DispatcherHostOptions {
  readonly state: StateStore;
  readonly setup: DispatcherSetup;
  readonly onReport: (report: DispatcherReport) => void;
  /** The thread has ended by itself; another is started. */
  readonly onEnded: (exitCode: number) => void;
  readonly onError: (error: unknown) => void;
  /** The compiled thread; only tests that run from sources name it. */
  readonly threadFile?: URL;
}

const LOCK_FILE = 'dispatcher.lock';
const LOOK_MS = 500;
const RESTART_MS = 5000;
/** Beyond its own timeout, for storing and closing. */
const CLOSING_MS = 3000;

/**
 * The lock is the kernel's: when the process that delivers is killed, the next one that looks takes its place. Throws where
 * the lock file cannot be made.
 */
export function hostDispatcher(options: DispatcherHostOptions): DispatcherHost {
  const { state, onError } = options;
  const lock = openSync(join(state.directory, LOCK_FILE), 'a', 0o600);
  let thread: Worker | undefined;
  let ended: Promise<void> = Promise.resolve();
  let looking = false;
  let notBeforeMs = 0;
  let stopping = false;

  const look = async (): Promise<void> => {
    if (thread || looking || stopping || performance.now() < notBeforeMs) return;
    looking = true;
    try {
      if ((await hasWork(state)) && !stopping && libc().tryLock(lock, 'exclusive')) start();
    } catch (error) {
      notBeforeMs = performance.now() + RESTART_MS;
      onError(error);
    } finally {
      looking = false;
    }
  };
  const start = (): void => {
    const worker = startThread(options);
    thread = worker;
    ended = new Promise((resolve) => {
      worker.once('exit', (exitCode) => {
        thread = undefined;
        libc().unlock(lock);
        notBeforeMs = performance.now() + RESTART_MS;
        if (!stopping) options.onEnded(exitCode);
        resolve();
      });
    });
  };
  const timer = setInterval(() => void look(), LOOK_MS).unref();
  void look();
  return {
    nudge: () => {
      if (thread) tell(thread, 'nudge');
      else void look();
    },
    stop: async (timeoutMs) => {
      stopping = true;
      clearInterval(timer);
      const running = thread;
      if (running) {
        tell(running, { stopWithinMs: timeoutMs });
        const cut = setTimeout(() => void running.terminate(), timeoutMs + CLOSING_MS);
        await ended;
        clearTimeout(cut);
      }
      closeSync(lock);
    },
  };
}

function startThread({ setup, onReport, onError, threadFile }: DispatcherHostOptions): Worker {
  const file = threadFile ?? new URL('./dispatcher-thread.js', import.meta.url);
  // Settings come by the setup alone.
  const worker = new Worker(fileURLToPath(file), { workerData: setup, env: {} });
  worker.on('message', onReport);
  worker.on('error', onError);
  return worker;
}

function tell(worker: Worker, order: DispatcherOrder): void {
  worker.postMessage(order);
}

/** Whether there is anything to deliver, to anybody. */
function hasWork(state: StateStore): Promise<boolean> {
  return state.read((view) => {
    const first = [...view.range(cursorRecords, { limit: 1 }), ...view.range(replayRecords, { limit: 1 })];
    return first.length > 0;
  });
}
