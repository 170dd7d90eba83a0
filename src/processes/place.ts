import cluster, { type Worker } from 'node:cluster';
import { channelTo } from './channels.js';
import { createLink, type Link } from './link.js';
import { createReplacementPolicy } from './replacement.js';
import { FAILED, JOIN, LISTENING, READY } from './start-questions.js';

/** One of the places that processes serve in, and the process that has it now. A process that ends is replaced. */
export interface Place {
  /** Undefined while there is no process that could answer. */
  readonly answering: () => Answering | undefined;
  /** Lets its process finish what it has in flight, and ends it where it takes longer than that. */
  stop(timeoutMs: number): Promise<void>;
  /** Ends its process at once. */
  kill(): void;
}

/** A process that answers what it is asked. */
export interface Answering {
  readonly pid: number;
  readonly link: Link;
}

export interface PlaceOptions {
  readonly index: number;
  /** Variables that its processes get beside this process's own. */
  readonly environment: Readonly<Record<string, string>>;
  readonly events: PlaceEvents;
  /** Called with the link to each of its processes, before it is used: what else they may ask is answered there. */
  readonly attach: (link: Link) => void;
}

/** What happens in a place. */
export interface PlaceEvents {
  listening(url: string, pid: number): void;
  /** Its process has ended and will be replaced. One that could not be started has no number. */
  ended(pid: number | undefined, end: ProcessEnd): void;
  /** Its process has ended, and so would another. */
  abandoned(pid: number, end: ProcessEnd): void;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not start, as it told, or why it could not be started. */
  readonly reason: string | undefined;
}

export function createPlace({ index, environment, events, attach }: PlaceOptions): Place {
  const policy = createReplacementPolicy();
  let stopping = false;
  let answering: Answering | undefined;
  let worker: Worker | undefined;
  start();
  return {
    answering: () => answering,
    stop: async (timeoutMs) => {
      stopping = true;
      const running = worker;
      if (!running) return;
      // Not `once` of node:events, which rejects where a signal did not arrive: the next one may.
      const exited = new Promise((resolve) => running.once('exit', resolve));
      running.process.kill('SIGTERM');
      const late = setTimeout(() => running.process.kill('SIGKILL'), timeoutMs);
      await exited;
      clearTimeout(late);
    },
    kill: () => {
      stopping = true;
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
    // Also that a signal did not reach it, which its exit tells, or does not.
    started.on('error', () => {});
    const { pid } = started.process;
    if (pid !== undefined) take(started, pid);
    // For want of file descriptors, processes or memory. It says so a moment later, and never exits.
    else started.once('error', retry);
  }

  function take(started: Worker, pid: number): void {
    worker = started;
    let reason: string | undefined;
    const link = createLink(channelTo(started));
    attach(link);
    link.answer(JOIN, () => ({ index }));
    link.answer(READY, () => {
      answering = { pid, link };
      return null;
    });
    link.answer(LISTENING, ({ url }) => {
      policy.listening();
      events.listening(url, pid);
      return null;
    });
    link.answer(FAILED, (failure) => {
      reason = failure.reason;
      return null;
    });
    started.once('exit', (code: number | null, signal: string | null) => {
      worker = undefined;
      answering = undefined;
      replace(pid, { code, signal, reason });
    });
  }

  /** After a process that could not be started. */
  function retry(error: unknown): void {
    if (stopping) return;
    const reason = error instanceof Error ? error.message : String(error);
    events.ended(undefined, { code: null, signal: null, reason });
    startAfter(policy.unstarted());
  }

  function replace(pid: number, end: ProcessEnd): void {
    if (stopping) return;
    const delayMs = policy.ended();
    if (delayMs === undefined) {
      events.abandoned(pid, end);
      return;
    }
    events.ended(pid, end);
    startAfter(delayMs);
  }

  function startAfter(delayMs: number): void {
    setTimeout(() => {
      if (!stopping) start();
    }, delayMs);
  }
}
