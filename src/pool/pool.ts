import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import { createDeadlines } from './deadlines.js';
import { createLender, type Loan } from './lender.js';
import { type Batch, type BatchReply, LENT, type Outcome, type Task, type WorkerSetup } from './protocol.js';
import { type Client, type OpenRequest, type PoolError, poolError, type Reply } from './request.js';
import { takeBatch } from './take-batch.js';
import { createWorkLimit } from './work-limit.js';

/** Worker threads that answer queries over one generation. */
export interface QueryPool {
  /**
   * Answers a task, unless its client goes away before a thread has it. Throws {@link PoolError} where no thread could; any
   * other throw is a bug in the query.
   */
  run(task: Task, client?: Client): Promise<Reply>;
  /** Ends the threads. Tasks that are not answered yet are given up as `stopped`. */
  close(): Promise<void>;
}

export interface QueryPoolOptions extends WorkerSetup {
  /** At most so many threads; one is kept, the others end when idle. */
  readonly threads: number;
  /** Tasks that may wait for a thread; fewer where they take long, see {@link createWorkLimit}. */
  readonly queueMaxTasks: number;
  /** From the call to the answer. A thread that overruns it is ended and replaced. */
  readonly timeoutMs: number;
  /** Told of a thread that failed. */
  readonly onThreadError: (error: unknown) => void;
  /** The compiled worker; only tests that run from sources name it. */
  readonly workerFile?: URL;
}

const IDLE_TIMEOUT_MS = 60_000;
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
  const { threads: threadsMax, queueMaxTasks, timeoutMs, onThreadError } = options;
  let started: Piscina<Batch, BatchReply> | undefined;
  const threads = (): Piscina<Batch, BatchReply> => {
    started ??= startThreads(options);
    return started;
  };
  const start = setTimeout(threads, START_AFTER_MS).unref();
  const limit = createWorkLimit(threadsMax, now);
  const lender = createLender();
  const waiting: OpenRequest[] = [];
  /** Batches that threads have. */
  const sent: (readonly OpenRequest[])[] = [];
  const deadlines = createDeadlines(timeoutMs, now, allRequests, (request) => fail(request, 'deadline'));
  /** Unanswered requests, waiting or sent, and what they take in all. */
  let openCount = 0;
  let openMs = 0;
  let scheduled = false;
  let closing = false;

  return {
    run: (task, client = NEVER_GONE) => {
      if (closing) return Promise.reject(poolError('stopped'));
      const expectedMs = limit.expectMs(task);
      const full = openCount >= threadsMax + queueMaxTasks || !limit.admits(openCount, openMs, expectedMs);
      if (full) return Promise.reject(poolError('queue-full'));
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
    },
    close: async () => {
      closing = true;
      for (const request of allRequests()) fail(request, 'stopped');
      deadlines.stop();
      clearTimeout(start);
      await started?.destroy();
    },
  };

  /** All that are not answered yet, the oldest first but for batches that overtook each other, and some that are. */
  function allRequests(): OpenRequest[] {
    return [...sent.flat(), ...waiting];
  }

  /** Gives the free threads what waits, in equal shares. */
  function dispatch(): void {
    scheduled = false;
    while (sent.length < threadsMax && !closing) {
      const share = Math.ceil(waiting.length / (threadsMax - sent.length));
      const batch = takeBatch(waiting, share, (request) => fail(request, 'client-gone'));
      if (batch.length === 0) {
        limit.idle();
        return;
      }
      limit.busy();
      sent.push(batch);
      send(batch);
    }
  }

  function send(batch: readonly OpenRequest[]): void {
    // Not an AbortController: V8 keeps the object of its signal, and all that came with it, until the next full collection.
    const overdue = new EventEmitter();
    let isOverdue = false;
    const timer = setTimeout(() => {
      isOverdue = true;
      overdue.emit('abort');
    }, timeoutMs);
    const tasks = batch.map(({ task }) => task);
    const loan = lender.lend(tasks);
    threads()
      .run(loan ? { tasks, lent: loan.memory } : { tasks }, { signal: overdue })
      .then(
        (reply) => {
          clearTimeout(timer);
          finish(batch, () => settle(batch, reply, loan));
        },
        (error) => {
          clearTimeout(timer);
          loan?.lose();
          // A query's throw comes as a value: whatever rejects is a thread that ended.
          const code = isOverdue ? 'deadline' : 'thread-lost';
          if (!closing) onThreadError(error);
          finish(batch, () => {
            for (const request of batch) fail(request, code);
          });
        },
      );
  }

  /** The next batch first: the thread works on it while this one's answers are written. */
  function finish(batch: readonly OpenRequest[], answerBatch: () => void): void {
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
        limit.tookMs(request.task, outcome[QUERY_MS]);
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

function startThreads(options: QueryPoolOptions): Piscina<Batch, BatchReply> {
  // Loaded with the first thread, and not before the first answers.
  const piscina: typeof import('piscina') = createRequire(import.meta.url)('piscina');
  const { directory, mappings } = options.dataset;
  const setup: WorkerSetup = { dataset: { directory, mappings } };
  const threads = new piscina.Piscina<Batch, BatchReply>({
    filename: fileURLToPath(options.workerFile ?? new URL('./worker.js', import.meta.url)),
    name: 'answer',
    workerData: setup,
    minThreads: 1,
    maxThreads: options.threads,
    // It is given no more batches than it may have threads: what waits, waits in the pool, where it can be given up.
    maxQueue: options.threads,
    idleTimeout: IDLE_TIMEOUT_MS,
    recordTiming: false,
  });
  threads.on('error', options.onThreadError);
  return threads;
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
