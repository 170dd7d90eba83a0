import cluster from 'node:cluster';
import { deferred } from '../core/deferred.js';
import type { Link } from './link.js';
import { createTallies } from './memory/tallies.js';
import { type Answering, createPlace, type PlaceEvents, type ProcessEnd } from './place.js';
import type { Question } from './question.js';

/** The processes that serve one address together, as the one that started them, and serves nothing itself, has them. */
export interface Processes {
  readonly url: string;
  /**
   * Asks every process, and gives what became of it, in the order of their places. Those that are only starting are
   * left out: they ask for what they need to know once they are ready.
   */
  broadcast<Input, Output>(question: Question<Input, Output>, input: Input): Promise<Reply<Output>[]>;
  /** Lets every process finish what it has in flight, and ends those that take longer than they may. */
  stop(): Promise<void>;
  /** Ends every process at once. */
  kill(): void;
  /** Rejects where a process has ended and it is of no use to replace it. */
  readonly broken: Promise<never>;
}

/** What one process answered. */
export type Reply<Output> = { readonly pid: number } & (
  | { readonly ok: true; readonly output: Output }
  | { readonly ok: false; readonly reason: string }
);

export interface ProcessesOptions {
  readonly count: number;
  /** Command and flags with which this program serves as one of the processes. */
  readonly args: readonly string[];
  /** Variables that they get beside this process's own. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where their log goes. */
  readonly logFd: 1 | 2;
  /** Milliseconds that a process may take to stop. */
  readonly stopTimeoutMs: number;
  readonly events: ProcessEvents;
  /** Called with the link to each process that is started: what it may ask of the primary is answered there. */
  readonly attach: (link: Link) => void;
}

/** What happens to processes once all have come to listen, for the log. */
export interface ProcessEvents {
  /** One that could not be started has no number. */
  ended(pid: number | undefined, end: ProcessEnd): void;
  replaced(pid: number, url: string): void;
}

/** Where the processes inherit the memory that they count in: behind the standard streams and the channel. */
export const TALLIES_FD = 4;

/**
 * Space for new objects, MiB, of each thread. V8's own 16 would let each process keep 114 to 187 MiB to itself under
 * load (nearby, three processes of two threads) rather than 75 to 87, for an answer's processor time of 41 to 50 µs
 * rather than 44 to 49 (tracts) and 81 to 105 µs rather than 77 to 88 (nearby).
 */
const YOUNG_GENERATION = '--max-semi-space-size=4';

/**
 * Starts the processes, and gives them when all of them listen. Rejects where they cannot, with the reason of the first
 * that could not.
 *
 * They share the listening socket: each takes connections from the kernel itself. Where the primary takes all and hands them
 * out in turn, long-lived connections are spread as evenly (of 64, each of two processes has 27 to 37 either way) and carry
 * as many requests (19,400 and 19,800 a second; 17,800 and 19,600 over the shared socket), but fewer can be opened (4,300
 * and 4,000 requests a second with a connection each; 7,000 and 5,400), and one on its way to a process that is killed
 * hangs. Two rounds, two processes and their client on 2 cores.
 */
export async function startProcesses(options: ProcessesOptions): Promise<Processes> {
  prepareCluster(options);
  const { places, started, broken } = startPlaces(options);
  const stop = async (): Promise<void> => {
    await Promise.all(places.map((place) => place.stop(options.stopTimeoutMs)));
  };
  try {
    return {
      url: await started,
      broken,
      stop,
      broadcast: (question, input) =>
        Promise.all(
          places.flatMap((place) => {
            const answering = place.answering();
            return answering ? [askProcess(answering, question, input)] : [];
          }),
        ),
      kill: () => {
        for (const place of places) place.kill();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startPlaces({ count, environment, events, attach }: ProcessesOptions) {
  const started = deferred<string>();
  const broken = deferred<never>();
  // It is not lost where it breaks before anybody waits for it.
  broken.promise.catch(() => {});
  const listening = new Set<number>();
  let allListen = false;

  const giveUp = ({ reason = 'processes end while they start' }: ProcessEnd): void => {
    const error = new Error(reason);
    started.reject(error);
    broken.reject(error);
  };
  const eventsOf = (index: number): PlaceEvents => ({
    listening: (url, pid) => {
      if (allListen) events.replaced(pid, url);
      allListen ||= listening.add(index).size === count;
      if (allListen) started.resolve(url);
    },
    ended: (pid, end) => {
      listening.delete(index);
      // What keeps one of the first from starting keeps all from it, and will the next time.
      if (!allListen && end.reason !== undefined) giveUp(end);
      else events.ended(pid, end);
    },
    abandoned: (pid, end) => {
      events.ended(pid, end);
      giveUp(end);
    },
  });
  const places = Array.from({ length: count }, (_, index) =>
    createPlace({ index, environment, events: eventsOf(index), attach }),
  );
  return { places, started: started.promise, broken: broken.promise };
}

/**
 * All processes are started alike: as this one was, so that however the program was packed and called, it is found
 * again.
 */
function prepareCluster({ count, args, logFd }: ProcessesOptions): void {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({
    args: [...args],
    execArgv: [YOUNG_GENERATION, ...process.execArgv],
    stdio: ['ignore', logFd, 2, 'ipc', createTallies(count)],
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
    return { pid, ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
