import cluster from 'node:cluster';
import { deferred } from '../core/deferred.js';
import { messageOf } from '../core/message-of.js';
import { YOUNG_GENERATION } from '../platform/garbage-collection.js';
import { createOccurrenceCount } from '../tallies/occurrences.js';
import type { PrimaryTallies } from './memory/tallies.js';
import {
  type Answering,
  createProcessSlot,
  type ProcessEnd,
  type ProcessSlotOptions,
  type SlotEvents,
} from './process-slot.js';
import type { Question } from './question.js';

/** The processes that serve one address together, as seen by the primary, which starts them and serves nothing itself. */
export interface Processes {
  readonly url: string;
  /**
   * Asks every process a question, and returns their replies in the order of their slots. Processes that are still starting
   * are left out: they ask for what they need to know once they are ready.
   */
  broadcast<Input, Output>(question: Question<Input, Output>, input: Input): Promise<Reply<Output>[]>;
  /** To be called when the service is about to stop: a process that ends from now on is neither replaced nor reported. */
  replaceNone(): void;
  /** Lets every process finish its requests in flight, and kills those that exceed `stopTimeoutMs`. */
  stop(): Promise<void>;
  /** Kills every process at once. */
  kill(): void;
  /** Rejects when a process has ended and replacing it would be of no use. */
  readonly broken: Promise<never>;
}

/** The answer of one process. */
export type Reply<Output> = { readonly pid: number } & (
  | { readonly ok: true; readonly output: Output }
  | { readonly ok: false; readonly reason: string }
);

export interface ProcessesOptions extends Pick<ProcessSlotOptions, 'environment' | 'attach'> {
  readonly count: number;
  readonly tallies: PrimaryTallies;
  /** The command and flags that start this program as one of the processes. */
  readonly args: readonly string[];
  /** The descriptor that the processes write their log to. */
  readonly logFd: 1 | 2;
  /** How long a process may take to stop, milliseconds. */
  readonly stopTimeoutMs: number;
  /** Resolves when the service is told to stop: a start that is still under way is then given up. */
  readonly unwanted: Promise<void>;
  readonly events: ProcessEvents;
}

/** What happens to the processes, for the log. */
export interface ProcessEvents extends Pick<SlotEvents, 'late'> {
  /** `pid` is undefined for a process that could not be started. */
  ended(pid: number | undefined, end: ProcessEnd): void;
  /** A process listens in place of one that had listened, or could not. */
  replaced(pid: number, url: string): void;
}

/**
 * Starts the processes, and resolves when all of them listen; to undefined if they are not wanted any more before, and have
 * ended again. If one cannot start, rejects with the reason of the first that could not.
 *
 * They share the listening socket: each process accepts connections from the kernel itself. The alternative, a primary that
 * accepts all connections and hands them out in turn, spreads long-lived connections as evenly (of 64, each of two processes
 * has 27 to 37 either way), and these carry as many requests (19,400 and 19,800 a second; 17,800 and 19,600 over the shared
 * socket). But fewer connections can be opened (4,300 and 4,000 requests a second with a connection each; 7,000 and 5,400
 * over the shared socket), and a connection that is being handed to a process that is killed hangs. (Two rounds each; two
 * processes and their client on 2 cores.)
 */
export async function startProcesses(options: ProcessesOptions): Promise<Processes | undefined> {
  prepareCluster(options);
  const { slots, started, broken } = startSlots(options);
  const stop = async (): Promise<void> => {
    await Promise.all(slots.map((slot) => slot.stop(options.stopTimeoutMs)));
  };
  try {
    const url = await Promise.race([started, options.unwanted]);
    if (url === undefined) {
      await stop();
      return undefined;
    }
    return {
      url,
      broken,
      stop,
      broadcast: (question, input) =>
        Promise.all(
          slots.flatMap((slot) => {
            const answering = slot.answering();
            return answering ? [askProcess(answering, question, input)] : [];
          }),
        ),
      replaceNone: () => {
        for (const slot of slots) slot.replaceNone();
      },
      kill: () => {
        for (const slot of slots) slot.kill();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startSlots({ count, tallies, environment, events, attach }: ProcessesOptions) {
  const countOccurrence = createOccurrenceCount(tallies.counters);
  const started = deferred<string>();
  const broken = deferred<never>();
  // No unhandled rejection if it rejects before anybody awaits it.
  broken.promise.catch(() => {});
  const listening = new Set<number>();
  let allListen = false;

  const giveUp = ({ reason = 'the processes keep ending before they listen' }: ProcessEnd): void => {
    const error = new Error(reason);
    started.reject(error);
    broken.reject(error);
  };
  const eventsOf = (index: number): SlotEvents => ({
    listening: (url, pid) => {
      if (allListen) events.replaced(pid, url);
      allListen ||= listening.add(index).size === count;
      if (allListen) started.resolve(url);
    },
    late: events.late,
    ended: (pid, end) => {
      listening.delete(index);
      // Whatever keeps one of the first processes from starting keeps all of them from it, and would again.
      if (!allListen && end.reason !== undefined) giveUp(end);
      else {
        countOccurrence('process-ended');
        events.ended(pid, end);
      }
    },
    abandoned: (pid, end) => {
      events.ended(pid, end);
      giveUp(end);
    },
  });
  const slots = Array.from({ length: count }, (_, index) =>
    createProcessSlot({ index, environment, events: eventsOf(index), attach }),
  );
  return { slots, started: started.promise, broken: broken.promise };
}

/**
 * Has cluster start every process with the entry file that this one was started with, so that it is found however the
 * program was packed and called.
 */
function prepareCluster({ tallies, args, logFd }: ProcessesOptions): void {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({
    args: [...args],
    execArgv: [YOUNG_GENERATION, ...process.execArgv],
    stdio: ['ignore', logFd, 2, 'ipc', tallies.fd],
  });
}

async function askProcess<Input, Output>(
  { pid, link }: Answering,
  question: Question<Input, Output>,
  input: Input,
): Promise<Reply<Output>> {
  try {
    return { pid, ok: true, output: await link.ask(question, input) };
  } catch (error) {
    return { pid, ok: false, reason: messageOf(error) };
  }
}
