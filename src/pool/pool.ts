import { createDeadlines, type Timed } from './deadlines.js';
import { createExpectedTimes } from './expected-times.js';
import { createLender, type Loan } from './lender.js';
import { createLoopTurns, LOOP_CLOCK } from './loop-turns.js';
import { type BatchReply, LENT, type Outcome, type Task } from './protocol.js';
import { type Client, type OpenRequest, type PoolError, poolError, type Reply } from './request.js';
import { LONG_TURN_MS, takeBatch } from './take-batch.js';
import { startThreads, type Threads, type ThreadsOptions, type Waiter } from './threads.js';
import { createWorkLimit } from './work-limit.js';

/** Worker threads that answer queries over one generation. */
export interface QueryPool {
  /**
   * Answers a task, unless its client goes away before a thread has it; undefined at once where the queue is full, since a
   * busy service has no time for an error and a promise to say so. Rejects with {@link PoolError} where no thread could
   * answer; with anything else, it is a bug in the query.
   */
  offer(task: Task, client?: Client): Promise<Reply> | undefined;
  /** The same, but for a full queue, which is a PoolError, too. */
  run(task: Task, client?: Client): Promise<Reply>;
  /** Ends the threads. Tasks that are not answered yet are given up as `stopped`. */
  close(): Promise<void>;
}

export interface QueryPoolOptions extends ThreadsOptions {
  /** Tasks that may wait for a thread; fewer where they take long, see {@link createWorkLimit}. */
  readonly queueMaxTasks: number;
  /** From the call to the answer. A thread that overruns it is ended and replaced, unless it answers before. */
  readonly timeoutMs: number;
}

/** A batch that a thread has. */
interface SentBatch extends Timed {
  readonly requests: readonly OpenRequest[];
  readonly waiter: Waiter;
  /** Whether it has taken too long, and is not waited for: then its thread is ended, unless it answers before. */
  settled: boolean;
}

const NEVER_GONE: Client = { gone: () => false };
const now = (): number => performance.now();

/** How long after the opening the first thread starts, where none was needed before. */
const START_AFTER_MS = 250;

/**
 * So many are enough for the threads to begin with, while the rest of the turn is read: of 64 searches that are always open,
 * 10–18% more are answered so than in whole turns.
 */
const EARLY_TASKS = 32;

/**
 * Opens the pool. Its first thread starts when it is needed, or else soon after: the service's first answers come first,
 * and on two cores a thread that starts takes one from them. What is asked within one turn of the event loop travels to
 * the threads together, a large turn in two parts, and so does what comes while they are busy: at high load a message is
 * shared by many requests.
 */
export function createQueryPool(options: QueryPoolOptions): QueryPool {
  const { threads: threadsMax, queueMaxTasks, timeoutMs } = options;
  let started: Threads | undefined;
  const threads = (): Threads => {
    started ??= startThreads(options);
    return started;
  };
  const start = setTimeout(threads, START_AFTER_MS).unref();
  const limit = createWorkLimit(threadsMax, now);
  const expected = createExpectedTimes();
  const turns = createLoopTurns(LOOP_CLOCK);
  const lender = createLender();
  const waiting: OpenRequest[] = [];
  const sent: SentBatch[] = [];
  const deadlines = createDeadlines(timeoutMs, now, allRequests, (request) => fail(request, 'deadline'));
  const batchDeadlines = createDeadlines(timeoutMs, now, () => sent, giveUp);
  /** Unanswered requests, waiting or sent, and what they take in all. */
  let openCount = 0;
  let openMs = 0;
  let scheduled = false;
  let closing = false;

  return {
    offer,
    run: (task, client) => offer(task, client) ?? Promise.reject(poolError('queue-full')),
    close: async () => {
      closing = true;
      for (const request of allRequests()) fail(request, 'stopped');
      deadlines.stop();
      batchDeadlines.stop();
      clearTimeout(start);
      await started?.close();
    },
  };

  function offer(task: Task, client: Client = NEVER_GONE): Promise<Reply> | undefined {
    if (closing) return Promise.reject(poolError('stopped'));
    const expectedMs = expected.expectMs(task);
    if (!admits(expectedMs)) {
      // A turn of many requests can last for seconds.
      if (waiting.length > 0) dispatch();
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const request = { task, client, askedAtMs: now(), expectedMs, settled: false, resolve, reject };
      deadlines.start();
      openCount++;
      openMs += expectedMs;
      waiting.push(request);
      if (sent.length >= threadsMax) return;
      if (waiting.length >= EARLY_TASKS) return dispatch();
      if (scheduled) return;
      scheduled = true;
      // After all that this turn of the event loop has read from sockets.
      setImmediate(dispatch);
    });
  }

  function admits(expectedMs: number): boolean {
    turns.ask();
    if (openCount >= threadsMax + queueMaxTasks) return false;
    const ahead = { count: openCount, ms: openMs, socketMs: turns.behindMs(), together: turns.together() };
    return limit.admits(ahead, expectedMs);
  }

  /** All that are not answered yet, the oldest first but for batches that overtook each other, and some that are. */
  function allRequests(): OpenRequest[] {
    return [...sent.flatMap(({ requests }) => requests), ...waiting];
  }

  /** Gives the free threads what waits, in equal shares. */
  function dispatch(): void {
    scheduled = false;
    while (sent.length < threadsMax && !closing) {
      const share = Math.ceil(waiting.length / (threadsMax - sent.length));
      const batch = takeBatch(waiting, { share, turnMs: turns.lastMs() }, (request) => fail(request, 'client-gone'));
      if (batch.length === 0) {
        limit.idle();
        return;
      }
      limit.busy(turns.lastMs() >= LONG_TURN_MS);
      send(batch);
    }
  }

  function send(requests: readonly OpenRequest[]): void {
    const tasks = requests.map(({ task }) => task);
    const loan = lender.lend(tasks);
    const waiter: Waiter = {
      answered: (reply) => finish(batch, () => settle(requests, reply, loan)),
      lost: () => {
        loan?.lose();
        finish(batch, () => {
          for (const request of requests) fail(request, batch.settled ? 'deadline' : 'thread-lost');
        });
      },
    };
    const batch: SentBatch = { requests, waiter, askedAtMs: now(), settled: false };
    threads().answer(loan ? { tasks, lent: loan.memory } : { tasks }, waiter);
    sent.push(batch);
    batchDeadlines.start();
  }

  function giveUp(batch: SentBatch): void {
    batch.settled = true;
    started?.end(batch.waiter);
  }

  /** The next batch first: the thread works on it while this one's answers are written. */
  function finish(batch: SentBatch, answerBatch: () => void): void {
    sent.splice(sent.indexOf(batch), 1);
    dispatch();
    answerBatch();
  }

  function settle(batch: readonly OpenRequest[], reply: BatchReply, loan: Loan | undefined): void {
    const atMs = now();
    batch.forEach((request, at) => {
      const outcome = reply.ok ? reply.outcomes[at] : undefined;
      if (!reply.ok) close(request)?.resolve(reply);
      else if (!outcome) close(request)?.reject(new Error('a worker answered fewer tasks than it was given'));
      else if ('thrown' in outcome) close(request)?.reject(outcome.thrown);
      else {
        expected.tookMs(request.task, outcome[QUERY_MS]);
        close(request)?.resolve(replyOf(request, reply.buffers, outcome, atMs, loan));
      }
    });
    loan?.settle();
  }

  function fail(request: OpenRequest, code: PoolError['code']): void {
    close(request)?.reject(poolError(code));
  }

  /** Gives the request once, to be answered. */
  function close(request: OpenRequest): OpenRequest | undefined {
    if (request.settled) return undefined;
    request.settled = true;
    openCount--;
    // Sums of fractions drift; nothing open is no work at all.
    openMs = openCount === 0 ? 0 : openMs - request.expectedMs;
    return request;
  }
}

const QUERY_MS = 3;

function replyOf(
  { askedAtMs }: OpenRequest,
  buffers: readonly ArrayBuffer[],
  [buffer, start, end, queryMs]: Exclude<Outcome, { readonly thrown: Error }>,
  atMs: number,
  loan: Loan | undefined,
): Reply {
  const times = { queueMs: Math.max(0, atMs - askedAtMs - queryMs), queryMs };
  if (loan && buffer === LENT) return { ok: true, times, ...loan.body(start, end) };
  return { ok: true, body: Buffer.from(buffers[buffer] ?? new ArrayBuffer(0), start, end - start), times };
}
