import type { Geoid } from '../core/geoid.js';
import type { TractsFile } from '../format/tracts-file.js';
import type { Task } from '../pool/protocol.js';
import type { Reply } from '../pool/request.js';
import { findRow } from '../query/rows.js';
import { type Answer, BUSY_ANSWER, data } from './answer.js';
import { ApiError, unavailable } from './errors.js';
import { requireGeneration } from './generation.js';
import type { RouteContext } from './route.js';

/** A tract's row. Throws `not_found` where it is not loaded. */
export function requireRow(tracts: Pick<TractsFile, 'geoids'>, geoid: Geoid): number {
  const row = findRow(tracts, geoid);
  if (row < 0) throw new ApiError('not_found', `Tract ${geoid} not found.`);
  return row;
}

/**
 * The answer that a worker thread gives to a task, JSON unless told, or at once that the service is busy. Rejects with
 * {@link PoolError}, or `no_dataset` where the thread cannot read the files.
 *
 * A request that comes alone costs the main thread 48 µs for the message to the worker and back; of 4 in one turn of the
 * event loop each costs 12, of 16 each 5, of 64 each 2. So these are answered here: a tract (1 µs), a point (10), a
 * comparison (7). These go to the workers: rankings (8, and they may become larger), small searches (31), trends (119),
 * providers (145), wide searches (190), outlines (900 and more). Measured on two busy cores, Node 20, the demo nation; the
 * ratios hold.
 */
export function answerInPool(context: RouteContext, task: Task, contentType?: string): Answer | Promise<Answer> {
  const replied = requireGeneration(context).pool.offer(task, context.client);
  return replied ? replied.then((reply) => answerOf(reply, contentType)) : BUSY_ANSWER;
}

function answerOf(reply: Reply, contentType: string | undefined): Answer {
  // The main thread has the dataset open: its bytes have changed since.
  if (!reply.ok) throw unavailable('no_dataset', 'The dataset cannot be read just now.');
  const { body, times, release } = reply;
  return data(body, { contentType, times, release });
}
