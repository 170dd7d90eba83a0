import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { channelTo } from './channels.js';
import { createLink, type Link } from './link.js';
import { createReplacementPolicy } from './replacement.js';
import { FAILED, JOIN, LISTENING, READY } from './start-questions.js';

/** One of the places that processes serve in, and the process that has it now. A process that ends is replaced. */
export interface Place {
  readonly pid: () => number;
  /** Undefined while there is no process that could answer. */
  readonly link: () => Link | undefined;
  /** Lets its process finish what it has in flight, and ends it where it takes longer than that. */
  stop(timeoutMs: number): Promise<void>;
  /** Ends its process at once. */
  kill(): void;
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
  /** Its process has ended and will be replaced. */
  ended(pid: number, end: ProcessEnd): void;
  /** Its process has ended, and so would another. */
  abandoned(pid: number, end: ProcessEnd): void;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not start, as it told. */
  readonly reason: string | undefined;
}

export function createPlace({ index, environment, events, attach }: PlaceOptions): Place {
  const policy = createReplacementPolicy();
  let stopping = false;
  let answering: Link | undefined;
  let worker = start();
  return {
    pid: () => pidOf(worker),
    link: () => answering,
    stop: async (timeoutMs) => {
      stopping = true;
      if (worker.isDead()) return;
      const exited = once(worker, 'exit');
      worker.process.kill('SIGTERM');
      const late = setTimeout(() => worker.process.kill('SIGKILL'), timeoutMs);
      await exited;
      clearTimeout(late);
    },
    kill: () => {
      stopping = true;
      worker.process.kill('SIGKILL');
    },
  };

  function start(): Worker {
    const started = cluster.fork(environment);
    const pid = pidOf(started);
    let reason: string | undefined;
    const link = createLink(channelTo(started));
    attach(link);
    link.answer(JOIN, () => ({ index }));
    link.answer(READY, () => {
      answering = link;
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
      answering = undefined;
      replace(pid, { code, signal, reason });
    });
    return started;
  }

  function replace(pid: number, end: ProcessEnd): void {
    if (stopping) return;
    const delayMs = policy.ended();
    if (delayMs === undefined) {
      events.abandoned(pid, end);
      return;
    }
    events.ended(pid, end);
    setTimeout(() => {
      if (!stopping) worker = start();
    }, delayMs);
  }
}

const pidOf = (worker: Worker): number => worker.process.pid ?? 0;
