import type { Admission } from './admission.js';
import { createDeadlines } from './deadlines.js';
import { createLender, type Loan } from './lender.js';
import { type BatchReply, LENT, type Outcome } from './protocol.js';
import type { OpenRequest, PoolError, Reply } from './request.js';
import type { Waiter } from './seat.js';
import type { AttachedDataset } from './threads.js';

/** The batches that threads are working on: hands their answers to the requests in them. */
export interface Batches {
  readonly count: number;
  /** The requests in them, oldest first except where batches have overtaken each other. Some may be settled already. */
  requests(): OpenRequest[];
  /** Gives these requests to a thread, as one batch. */
  send(requests: readonly OpenRequest[]): void;
  /** Terminates no thread any more for taking too long. */
  stop(): void;
}

export interface BatchesOptions {
  readonly attached: AttachedDataset;
  readonly admission: Admission;
  /** The most time that a thread may work on a batch. One that overruns it is terminated, unless it answers before. */
  readonly timeoutMs: number;
  readonly now: () => number;
  /** Settles a request with an error, unless it is settled already. */
  readonly fail: (request: OpenRequest, code: PoolError['code']) => void;
  /** A batch is over. Its requests are settled afterwards, so that the thread can work on the next one in the meantime. */
  readonly onOver: () => void;
}

interface SentBatch {
  readonly requests: readonly OpenRequest[];
  readonly waiter: Waiter;
  readonly askedAtMs: number;
  /** Whether it has overrun its time: then its thread is terminated, unless it answers before. */
  isOver: boolean;
}

export function createBatches(options: BatchesOptions): Batches {
  const { attached, admission, timeoutMs, now, fail, onOver } = options;
  const lender = createLender();
  const sent: SentBatch[] = [];
  const deadlines = createDeadlines(timeoutMs, now, () => sent, giveUp);

  return {
    get count() {
      return sent.length;
    },
    requests: () => sent.flatMap(({ requests }) => requests),
    send: (requests) => {
      const tasks = requests.map(({ task }) => task);
      const loan = lender.lend(tasks);
      const waiter: Waiter = {
        answered: (reply) => {
          leave(batch);
          settle(requests, reply, loan);
        },
        lost: () => {
          loan?.lose();
          // Before the next batch is made: one of as many tasks that are expected to be short would end its thread, too.
          if (batch.isOver) for (const { task } of requests) admission.tookMs(task, timeoutMs / requests.length);
          leave(batch);
          for (const request of requests) fail(request, batch.isOver ? 'deadline' : 'thread-lost');
        },
      };
      const batch: SentBatch = { requests, waiter, askedAtMs: now(), isOver: false };
      sent.push(batch);
      deadlines.start();
      attached.answer(loan ? { tasks, lent: loan.memory } : { tasks }, waiter);
    },
    stop: deadlines.stop,
  };

  function giveUp(batch: SentBatch): void {
    batch.isOver = true;
    attached.end(batch.waiter);
  }

  function leave(batch: SentBatch): void {
    sent.splice(sent.indexOf(batch), 1);
    onOver();
  }

  function settle(requests: readonly OpenRequest[], reply: BatchReply, loan: Loan | undefined): void {
    const atMs = now();
    requests.forEach((request, at) => {
      const outcome = reply.ok ? reply.outcomes[at] : undefined;
      if (outcome && !('thrown' in outcome)) {
        const [, , , queryMs] = outcome;
        admission.tookMs(request.task, queryMs);
      }
      // Only an answer that somebody still waits for may hold a part of the loan.
      if (!admission.leave(request)) return;
      if (!reply.ok) request.resolve(reply);
      else if (!outcome) request.reject(new Error('a worker answered fewer tasks than it was given'));
      else if ('thrown' in outcome) request.reject(outcome.thrown);
      else request.resolve(replyOf(request, reply.buffers, outcome, atMs, loan));
    });
    loan?.release();
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
