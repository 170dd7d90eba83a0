import cluster, { type Worker } from 'node:cluster';
import { messageOf } from '../core/message-of.js';
import { channelTo } from './channels.js';
import { createLink, type Link } from './link.js';
import { createRestartPolicy } from './restart-policy.js';
import { FAILED, JOIN, LISTENING, READY } from './start-questions.js';

/** One of the numbered slots for serving processes, and the process that has it now. A process that ends is replaced. */
export interface ProcessSlot {
  /** The slot's process; undefined while there is none that answers questions. */
  readonly answering: () => Answering | undefined;
  /** From now on, a process that ends is neither replaced nor reported. */
  replaceNone(): void;
  /** Lets the process finish its requests in flight, and kills it after `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>;
  /** Kills the process at once. */
  kill(): void;
}

/** A process that answers questions. */
export interface Answering {
  readonly pid: number;
  readonly link: Link;
}

export interface ProcessSlotOptions {
  readonly index: number;
  /** Environment variables for the slot's processes, in addition to this process's own. */
  readonly environment: Readonly<Record<string, string>>;
  readonly events: SlotEvents;
  /** Called with the link to each of the slot's processes before it is used, to register answers to further questions. */
  readonly attach: (link: Link) => void;
}

/** What happens to the processes of a slot. */
export interface SlotEvents {
  listening(url: string, pid: number): void;
  /** The process still does not listen, {@link LATE_MS} after its start: it may be stuck. Told once of each. */
  late(pid: number): void;
  /** The process has ended and will be replaced. `pid` is undefined if it could not be started. */
  ended(pid: number | undefined, end: ProcessEnd): void;
  /** The process has ended and is not replaced, since another would end the same way. */
  abandoned(pid: number, end: ProcessEnd): void;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why the process could not start, as reported by itself, or why it could not be forked. */
  readonly reason: string | undefined;
}

/** A start takes a second or two; this leaves time for a busy machine and a slow disk. */
export const LATE_MS = 60_000;

export function createProcessSlot({ index, environment, events, attach }: ProcessSlotOptions): ProcessSlot {
  const policy = createRestartPolicy();
  let stopping = false;
  let answering: Answering | undefined;
  let worker: Worker | undefined;
  /** Starts the next process; undefined until the first one has ended or could not be started. */
  let restart: NodeJS.Timeout | undefined;
  const replaceNone = (): void => {
    stopping = true;
    // It would keep this process from ending.
    clearTimeout(restart);
  };
  start();
  return {
    answering: () => answering,
    replaceNone,
    stop: async (timeoutMs) => {
      replaceNone();
      const running = worker;
      if (!running) return;
      // Not `once` of node:events: it would reject on the error that a signal did not arrive, and SIGKILL may still arrive.
      const exited = new Promise((resolve) => running.once('exit', resolve));
      running.process.kill('SIGTERM');
      const late = setTimeout(() => running.process.kill('SIGKILL'), timeoutMs);
      await exited;
      clearTimeout(late);
    },
    kill: () => {
      replaceNone();
      worker?.process.kill('SIGKILL');
    },
  };

  function start(): void {
    let started: Worker;
    try {
      started = cluster.fork(environment);
    } catch (error) {
      retry(error);
      return;
    }
    // Ignored: among these errors are signals that did not reach the process, which matter only if it does not exit.
    started.on('error', () => {});
    const { pid } = started.process;
    if (pid !== undefined) take(started, pid);
    // No pid: file descriptors, processes or memory are exhausted. `error` follows a moment later, and `exit` never does.
    else started.once('error', retry);
  }

  function take(started: Worker, pid: number): void {
    worker = started;
    const late = setTimeout(() => events.late(pid), LATE_MS).unref();
    let reason: string | undefined;
    const link = createLink(channelTo(started));
    attach(link);
    link.answer(JOIN, () => ({ index }));
    link.answer(READY, () => {
      answering = { pid, link };
      return null;
    });
    link.answer(LISTENING, ({ url }) => {
      clearTimeout(late);
      policy.listening();
      events.listening(url, pid);
      return null;
    });
    link.answer(FAILED, (failure) => {
      reason = failure.reason;
      return null;
    });
    started.once('exit', (code: number | null, signal: string | null) => {
      clearTimeout(late);
      worker = undefined;
      answering = undefined;
      replace(pid, { code, signal, reason });
    });
  }

  /** Schedules another try after a process could not be started. */
  function retry(error: unknown): void {
    if (stopping) return;
    restart = setTimeout(start, policy.unstarted());
    events.ended(undefined, { code: null, signal: null, reason: messageOf(error) });
  }

  function replace(pid: number, end: ProcessEnd): void {
    if (stopping) return;
    const delayMs = policy.ended();
    if (delayMs === undefined) {
      events.abandoned(pid, end);
      return;
    }
    restart = setTimeout(start, delayMs);
    events.ended(pid, end);
  }
}
