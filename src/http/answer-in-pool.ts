import type { Task } from '../pool/protocol.js';
import type { Reply } from '../pool/request.js';
import { type Answer, BUSY_ANSWER, data } from './answer.js';
import { DETAILS } from './error-details.js';
import { unavailable } from './errors.js';
import { requireGeneration } from './generation.js';
import type { RouteContext } from './route.js';

/**
 * A worker thread's answer to a task, JSON by default; if the queue is full, at once a 503. Rejects with PoolError,
 * or with `no_dataset` if the thread cannot read the dataset's files.
 *
 * The round trip of the message to a worker costs the main thread 48 µs for a request on its own, 12 for each of 4 requests
 * in one turn of the event loop, 5 for each of 16, 2 for each of 64. The main thread therefore answers these itself: a tract
 * (1 µs), a point (10), a comparison (7). These go to the workers: rankings (8, and they may become larger), small searches
 * (31), trends (119), providers (145), wide searches (190), outlines (900 and more). Measured on two busy cores, Node 20,
 * with the demo nation; the ratios hold elsewhere.
 */
export function answerInPool(context: RouteContext, task: Task, contentType?: string): Answer | Promise<Answer> {
  const replied = requireGeneration(context).pool.offer(task, context.client);
  return replied ? replied.then((reply) => answerOf(reply, contentType)) : BUSY_ANSWER;
}

function answerOf(reply: Reply, contentType: string | undefined): Answer {
  // The main thread has the dataset open, so its files must have changed since they were opened.
  if (!reply.ok) throw unavailable('no_dataset', DETAILS.unreadableDataset);
  const { body, times, release } = reply;
  return data(body, { contentType, times, release });
}
