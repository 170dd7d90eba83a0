import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { libc } from '../platform/libc.js';
import type { StateStore } from '../state/store.js';
import { cursorRecords, replayRecords } from './delivery-records.js';
import type { DispatcherOrder, DispatcherReport, DispatcherSetup } from './dispatcher-protocol.js';

/**
 * Sees to it that one process on the machine delivers what the state directory holds. It is started when there is first
 * something to deliver, and stays until the host stops.
 */
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
  /** The process has ended by itself; another is started. */
  readonly onEnded: (end: DispatcherEnd) => void;
  readonly onError: (error: unknown) => void;
}

/** How the process ended: by itself, or by a signal. Neither is told of one that could not be started. */
export interface DispatcherEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const PROGRAM = new URL('./dispatcher-process.js', import.meta.url);
const LOCK_FILE = 'dispatcher.lock';
const LOOK_MS = 500;
const RESTART_MS = 5000;
/**
 * Its helpers would clear up in parallel, on the very cores that requests need; one thread does it with less work in
 * all.
 */
const FLAGS = ['--single-threaded-gc'];
/** Beyond its own timeout, for storing and closing. */
const CLOSING_MS = 3000;

/**
 * The lock is the kernel's, and it is the process's that delivers as well as the host's: when both have ended, however they
 * did, the next host that looks takes their place. Throws where the lock file cannot be made.
 */
export function hostDispatcher(options: DispatcherHostOptions): DispatcherHost {
  const { state, onError } = options;
  const lock = openSync(join(state.directory, LOCK_FILE), 'a', 0o600);
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
    ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void => {
        if (deliverer !== child) return;
        deliverer = undefined;
        libc().unlock(lock);
        notBeforeMs = performance.now() + RESTART_MS;
        if (!stopping) options.onEnded({ code, signal });
        resolve();
      };
      child.once('exit', end);
      // One that could not be started, for want of file descriptors or of memory, says so a moment later, and never exits.
      child.on('error', (error) => {
        onError(error);
        if (child.pid === undefined) end(null, null);
      });
    });
    child.on('message', options.onReport);
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
    // Not the flags of this process, too, which may load what is meant for it alone.
    execArgv: FLAGS,
    serialization: 'advanced',
    // Stdout is the log's.
    stdio: ['ignore', 2, 2, 'ipc', lock],
  };
}

/** In vain where the process has just ended. One that could not be started may have no `send`, whatever its type says. */
function tell(child: ChildProcess, order: DispatcherOrder): void {
  if (child.pid !== undefined) child.send(order, () => {});
}

/** Whether there is anything to deliver, to anybody. */
function hasWork(state: StateStore): Promise<boolean> {
  return state.read((view) => {
    const first = [...view.range(cursorRecords, { limit: 1 }), ...view.range(replayRecords, { limit: 1 })];
    return first.length > 0;
  });
}
