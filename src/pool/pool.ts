import { type AdmissionOptions, createAdmission } from './admission.js';
import { createDeadlines } from './deadlines.js';
import { createLender, type Loan } from './lender.js';
import { type BatchReply, LENT, type Outcome, type Task } from './protocol.js';
import { type Client, type OpenRequest, type PoolError, poolError, type Reply } from './request.js';
import { takeBatch } from './take-batch.js';
import { startThreads, type Threads, type ThreadsOptions, type Waiter } from './threads.js';

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

export interface QueryPoolOptions extends ThreadsOptions, Pick<AdmissionOptions, 'queueMaxTasks'> {
  /** From the call to the answer. A thread that overruns it is ended and replaced, unless it answers before. */
  readonly timeoutMs: number;
}

/** A batch that a thread has. */
interface SentBatch {
  readonly requests: readonly OpenRequest[];
  readonly waiter: Waiter;
  readonly askedAtMs: number;
  /** Whether it has taken too long, and is not waited for: then its thread is ended, unless it answers before. */
  isOver: boolean;
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
 * A turn of the event loop can be of tens of thousands of requests, and seconds long: libuv goes on reading sockets up
 * to 48 times where it finds 1,024 of them ready, and comes to the threads' messages once in each. With a look at these
 * in between, 1,024 connections that ask for twice as much as can be done get 3 to 4 times as many answers, in half of
 * the time.
 */
const REQUESTS_A_LOOK = 8;

/**
 * Opens the pool. Its first thread starts when it is needed, or else soon after: the service's first answers come first,
 * and on two cores a thread that starts takes one from them. What is asked within one turn of the event loop travels to
 * the threads together, a large turn in two parts, and so does what comes while they are busy: at high load a message is
 * shared by many requests.
 */
export function createQueryPool(options: QueryPoolOptions): QueryPool {
  const { threads: threadsMax, timeoutMs } = options;
  let started: Threads | undefined;
  const threads = (): Threads => {
    started ??= startThreads(options);
    return started;
  };
  const start = setTimeout(startAhead, START_AFTER_MS).unref();
  const admission = createAdmission({ ...options, now });
  const lender = createLender();
  const waiting: OpenRequest[] = [];
  const sent: SentBatch[] = [];
  const deadlines = createDeadlines(timeoutMs, now, allRequests, (request) => fail(request, 'deadline'));
  const batchDeadlines = createDeadlines(timeoutMs, now, () => sent, giveUp);
  let scheduled = false;
  /** Requests since the last look for answers. */
  let unlooked = 0;
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
    if (sent.length > 0 && ++unlooked >= REQUESTS_A_LOOK) {
      unlooked = 0;
      started?.takeAnswers();
    }
    const expectedMs = admission.admit(task);
    if (expectedMs === undefined) {
      // A turn of many requests can last for seconds.
      if (waiting.length > 0) dispatch();
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const request = { task, client, askedAtMs: now(), expectedMs, isOver: false, resolve, reject };
      deadlines.start();
      waiting.push(request);
      if (sent.length >= threadsMax) return;
      if (waiting.length >= EARLY_TASKS) return dispatch();
      if (scheduled) return;
      scheduled = true;
      // After all that this turn of the event loop has read from sockets.
      setImmediate(dispatch);
    });
  }

  /**
   * All that have no answer yet, the oldest first but for batches that overtook each other; among them some that are
   * over.
   */
  function allRequests(): OpenRequest[] {
    return [...sent.flatMap(({ requests }) => requests), ...waiting];
  }

  /** Gives the free threads what waits, in equal shares. */
  function dispatch(): void {
    scheduled = false;
    while (sent.length < threadsMax && !closing) {
      const share = Math.ceil(waiting.length / (threadsMax - sent.length));
      const batch = takeBatch(waiting, { share, turnMs: admission.lastTurnMs() }, (request) =>
        fail(request, 'client-gone'),
      );
      if (batch.length === 0) {
        admission.idle();
        return;
      }
      admission.busy();
      send(batch);
    }
  }

  /**
   * Starts the first thread early. A failure is only reported: the first request tries again, and is told if that
   * fails, too.
   */
  function startAhead(): void {
    try {
      threads();
    } catch (error) {
      options.onThreadError(error);
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
          for (const request of requests) fail(request, batch.isOver ? 'deadline' : 'thread-lost');
        });
      },
    };
    const batch: SentBatch = { requests, waiter, askedAtMs: now(), isOver: false };
    sent.push(batch);
    batchDeadlines.start();
    try {
      threads().answer(loan ? { tasks, lent: loan.memory } : { tasks }, waiter);
    } catch (error) {
      // None can be started, such as without a file descriptor to spare.
      options.onThreadError(error);
      waiter.lost();
    }
  }

  function giveUp(batch: SentBatch): void {
    batch.isOver = true;
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
      if (!reply.ok) take(request)?.resolve(reply);
      else if (!outcome) take(request)?.reject(new Error('a worker answered fewer tasks than it was given'));
      else if ('thrown' in outcome) take(request)?.reject(outcome.thrown);
      else {
        const [, , , queryMs] = outcome;
        admission.tookMs(request.task, queryMs);
        // Only what somebody still waits for takes a part of the loan.
        const waits = take(request);
        if (waits) waits.resolve(replyOf(request, reply.buffers, outcome, atMs, loan));
      }
    });
    loan?.allTaken();
  }

  function fail(request: OpenRequest, code: PoolError['code']): void {
    take(request)?.reject(poolError(code));
  }

  /** Gives the request once, to be answered. */
  function take(request: OpenRequest): OpenRequest | undefined {
    if (request.isOver) return undefined;
    request.isOver = true;
    admission.leave(request.expectedMs);
    return request;
  }
}

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
