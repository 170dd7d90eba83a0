import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { closeSync } from 'node:fs';
import { childEnvironment } from '../../platform/child-environment.js';
import { libc } from '../../platform/libc.js';
import { openLockFile } from '../../state/lock-file.js';
import type { StateStore } from '../../state/store.js';
import { cursorRecords, replayRecords } from '../delivery-records.js';
import { watchAnswers } from './answer-watch.js';
import type { DispatcherMessage, DispatcherOrder, DispatcherReport, DispatcherSetup } from './dispatcher-protocol.js';

/**
 * Ensures that exactly one process on the machine delivers the events of a state directory. The process is started as soon
 * as there is something to deliver, and runs until the host stops.
 */
export interface DispatcherHost {
  /** Signals that there may be new deliveries. */
  nudge(): void;
  /** Lets attempts in flight finish, up to the timeout, and has all progress stored. */
  stop(timeoutMs: number): Promise<void>;
}

export interface DispatcherHostOptions {
  readonly state: StateStore;
  readonly setup: DispatcherSetup;
  readonly onReport: (report: DispatcherReport) => void;
  /** Called when the process has ended without being told to; another one is started. */
  readonly onEnded: (end: DispatcherEnd) => void;
  readonly onError: (error: unknown) => void;
}

/** How the process ended: its exit code, or the signal that killed it. Both are null if it could not be started. */
export interface DispatcherEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const PROGRAM = new URL('./dispatcher-process.js', import.meta.url);
const LOCK_FILE = 'dispatcher.lock';
const LOOK_MS = 500;
const RESTART_MS = 5000;
/**
 * V8's parallel garbage collection would use the very cores that requests need; a single thread collects with less work
 * in all.
 */
const FLAGS = ['--single-threaded-gc'];
/**
 * Half of libuv's threads resolve host names, each until the name server has answered, which no deadline shortens. With the
 * usual 4, two subscribers whose name servers are down would keep all others from being resolved.
 */
const LOOKUP_THREADS = '128';
/** What the process gets beyond the stop timeout, to store its progress and close. */
const CLOSING_MS = 3000;

/**
 * A kernel file lock, shared by the host and its delivery process, keeps other hosts out: once both have ended, in whatever
 * way, the next host that looks takes over. Throws StateError if the lock file cannot be created.
 */
export function hostDispatcher(options: DispatcherHostOptions): DispatcherHost {
  const { state, onError } = options;
  const lock = openLockFile(state.directory, LOCK_FILE);
  let deliverer: ChildProcess | undefined;
  let ended: Promise<void> = Promise.resolve();
  let looking = false;
  let notBeforeMs = 0;
  let stopping = false;

  const look = async (): Promise<void> => {
    if (deliverer || looking || stopping || performance.now() < notBeforeMs) return;
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
    let child: ChildProcess;
    try {
      child = fork(PROGRAM, [], optionsWith(lock));
    } catch (error) {
      libc().unlock(lock);
      throw error;
    }
    deliverer = child;
    // Otherwise it would keep the lock, and others from delivering in its place.
    const watch = watchAnswers(child, { ask: () => tell(child, 'ping'), onError });
    ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void => {
        if (deliverer !== child) return;
        deliverer = undefined;
        watch.stop();
        libc().unlock(lock);
        notBeforeMs = performance.now() + RESTART_MS;
        if (!stopping) options.onEnded({ code, signal });
        resolve();
      };
      child.once('exit', end);
      // A child that could not be started, for lack of file descriptors or memory, emits `error` soon, and never `exit`.
      child.on('error', (error) => {
        onError(error);
        if (child.pid === undefined) end(null, null);
      });
    });
    child.on('message', (message: DispatcherMessage) => {
      if (message === 'pong') watch.answered();
      else options.onReport(message);
    });
    tell(child, { start: options.setup });
  };
  const timer = setInterval(() => void look(), LOOK_MS).unref();
  void look();
  return {
    nudge: () => {
      if (deliverer) tell(deliverer, 'nudge');
      else void look();
    },
    stop: async (timeoutMs) => {
      stopping = true;
      clearInterval(timer);
      const running = deliverer;
      if (running) {
        tell(running, { stopWithinMs: timeoutMs });
        const cut = setTimeout(() => running.kill('SIGKILL'), timeoutMs + CLOSING_MS);
        await ended;
        clearTimeout(cut);
      }
      closeSync(lock);
    },
  };
}

function optionsWith(lock: number): ForkOptions {
  return {
    // Replaces the flags of this process, which may load modules that are meant for it alone.
    execArgv: FLAGS,
    env: childEnvironment({ UV_THREADPOOL_SIZE: LOOKUP_THREADS }),
    serialization: 'advanced',
    // Stdout belongs to the log, so the child's goes to stderr.
    stdio: ['ignore', 2, 2, 'ipc', lock],
  };
}

/** Has no effect if the child has just ended. A child that could not be started may lack `send`, whatever its type says. */
function tell(child: ChildProcess, order: DispatcherOrder): void {
  if (child.pid !== undefined) child.send(order, () => {});
}

/** Whether any subscription has pending deliveries. */
function hasWork(state: StateStore): Promise<boolean> {
  return state.read((view) => {
    const first = [...view.keys(cursorRecords, { limit: 1 }), ...view.keys(replayRecords, { limit: 1 })];
    return first.length > 0;
  });
}
