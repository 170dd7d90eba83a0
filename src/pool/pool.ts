import { type AdmissionOptions, createAdmission } from './admission.js';
import { createBatches } from './batches.js';
import { createDeadlines } from './deadlines.js';
import type { MappedDataset, Task } from './protocol.js';
import { ALWAYS_THERE, type Client, type OpenRequest, type PoolError, poolError, type Reply } from './request.js';
import { isWorthMessage, takeBatch } from './take-batch.js';
import type { Threads } from './threads.js';

/** Answers queries over one generation in worker threads. */
export interface QueryPool {
  /**
   * Answers a task, unless its client goes away before a thread has it. Returns undefined at once if the queue is full: a
   * busy service should not spend time on an error and a promise to say so. Rejects with {@link PoolError} if no thread
   * could answer; any other rejection is a bug in the query.
   */
  offer(task: Task, client?: Client): Promise<Reply> | undefined;
  /** Like {@link offer}, but rejects with a PoolError if the queue is full. */
  run(task: Task, client?: Client): Promise<Reply>;
  /** Like {@link run}, but in a batch by itself: as many tasks as there are free threads then have one thread each. */
  runAlone(task: Task): Promise<Reply>;
  /** Rejects unanswered tasks as `stopped`. Resolves when no thread reads the generation any more. */
  close(): Promise<void>;
}

export interface QueryPoolOptions extends Pick<AdmissionOptions, 'queueMaxTasks'> {
  readonly threads: Threads;
  readonly dataset: MappedDataset;
  /** The most time from the call to the answer. A thread that overruns it is terminated, unless it answers before. */
  readonly timeoutMs: number;
}

const now = (): number => performance.now();

/**
 * This many waiting tasks are dispatched at once, so that the threads begin while the rest of the turn's requests are read:
 * with 64 searches always open, 10–18% more are answered than if each turn is dispatched as a whole.
 */
const EARLY_TASKS = 32;

/**
 * After this many requests, the threads' answers are polled for. A turn of the event loop can hold tens of thousands of
 * requests and last seconds: libuv goes on reading sockets up to 48 times while it finds 1,024 of them ready, and comes to
 * the threads' messages once per turn. With this polling, 1,024 connections that ask for twice as much as can be done get 3
 * to 4 times as many answers, in half of the time.
 */
const REQUESTS_A_LOOK = 8;
/** The same where what waits is not worth a message yet (see {@link isWorthMessage}), for which a thread is left idle. */
const REQUESTS_A_LOOK_MOST = 24;

/**
 * Opens the pool. Requests that arrive within one turn of the event loop are sent to the threads together (those of a large
 * turn in two parts), and so are requests that arrive while the threads are busy: at high load many requests share a
 * message.
 */
export function createQueryPool({ threads, dataset, queueMaxTasks, timeoutMs }: QueryPoolOptions): QueryPool {
  const { most, expected } = threads;
  const attached = threads.attach(dataset);
  const admission = createAdmission({ threads: most, expected, queueMaxTasks, now });
  const waiting: OpenRequest[] = [];
  const batches = createBatches({ attached, admission, timeoutMs, now, fail, onOver: dispatch });
  const deadlines = createDeadlines(timeoutMs, now, allRequests, (request) => fail(request, 'deadline'));
  let scheduled = false;
  /** Requests since the threads' answers were last polled for. */
  let unlooked = 0;
  let closing = false;

  return {
    offer: (task, client) => offer(task, client),
    run: (task, client) => offer(task, client) ?? Promise.reject(poolError('queue-full')),
    runAlone: (task) => offer(task, ALWAYS_THERE, true) ?? Promise.reject(poolError('queue-full')),
    close: async () => {
      closing = true;
      for (const request of allRequests()) fail(request, 'stopped');
      deadlines.stop();
      batches.stop();
      await attached.detach();
    },
  };

  function offer(task: Task, client = ALWAYS_THERE, isAlone = false): Promise<Reply> | undefined {
    if (closing) return Promise.reject(poolError('stopped'));
    if (
      batches.count > 0 &&
      ++unlooked >= REQUESTS_A_LOOK &&
      (isWorthMessage(waiting) || unlooked >= REQUESTS_A_LOOK_MOST)
    ) {
      unlooked = 0;
      attached.takeAnswers();
    }
    const expectedMs = admission.admit(task);
    if (expectedMs === undefined) {
      // Not left to the end of the turn: a turn of many requests can last for seconds.
      if (waiting.length > 0) dispatch();
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const request = { task, client, isAlone, askedAtMs: now(), expectedMs, isOver: false, resolve, reject };
      deadlines.start();
      waiting.push(request);
      if (batches.count >= most) return;
      if (waiting.length >= EARLY_TASKS) return dispatch();
      if (scheduled) return;
      scheduled = true;
      // Runs after everything that this turn of the event loop reads from sockets.
      setImmediate(dispatch);
    });
  }

  function allRequests(): OpenRequest[] {
    return [...batches.requests(), ...waiting];
  }

  /** Distributes the waiting requests over the free threads, in equal shares. */
  function dispatch(): void {
    scheduled = false;
    while (batches.count < most && !closing) {
      const share = Math.ceil(waiting.length / (most - batches.count));
      const batch = takeBatch(waiting, { share, turnMs: admission.lastTurnMs() }, (request) =>
        fail(request, 'client-gone'),
      );
      if (batch.length === 0) {
        admission.idle();
        return;
      }
      admission.busy();
      batches.send(batch);
    }
  }

  function fail(request: OpenRequest, code: PoolError['code']): void {
    if (admission.leave(request)) request.reject(poolError(code));
  }
}
