import type { OpenRequest } from './request.js';

/**
 * How long a batch may take: none of its answers is sent before the last is made, and while a thread makes them, the main
 * thread writes those of the batch before. It is about twenty small searches, for which a message is little.
 */
const BATCH_MAX_MS = 0.5;
/**
 * Nobody takes the answers before the main thread comes round to them. Where its turns are so long, a thread works for
 * as long as a turn: with batches of half a millisecond it would do nothing but wait under overload.
 */
export const LONG_TURN_MS = 10;
/** But nobody's answer is kept for longer than this for those of others. */
const LONGEST_BATCH_MS = 50;
/**
 * Up to this, two come together nevertheless: with large answers one by one, a thread would wait after each until the main
 * thread has woken up and sent the next.
 */
const PAIR_MAX_MS = 2;
/** Fewer are not worth a message to another thread, which costs as much as two or three small searches. */
const SHARE_MIN = 4;

/**
 * Takes up to `share` requests from the head of the queue, but no more than {@link BATCH_MAX_MS} will do or a long turn
 * of the event loop, which took `turnMs` lately, and at least one. Whoever went away meanwhile is passed to `dropped`
 * and not computed; what is over is left out.
 */
export function takeBatch(
  waiting: OpenRequest[],
  { share, turnMs }: { readonly share: number; readonly turnMs: number },
  dropped: (request: OpenRequest) => void,
): OpenRequest[] {
  const mostMs = turnMs < LONG_TURN_MS ? BATCH_MAX_MS : Math.min(turnMs, LONGEST_BATCH_MS);
  const most = Math.max(SHARE_MIN, share);
  const batch: OpenRequest[] = [];
  let taken = 0;
  let batchMs = 0;
  for (const request of waiting) {
    if (batch.length === most || batchMs >= (batch.length === 1 ? Math.max(PAIR_MAX_MS, mostMs) : mostMs)) break;
    taken++;
    if (request.isOver) continue;
    if (request.client.gone()) {
      dropped(request);
      continue;
    }
    batch.push(request);
    batchMs += request.expectedMs;
  }
  waiting.splice(0, taken);
  return batch;
}
