import type { OpenRequest } from './request.js';

/**
 * How long a batch may take. None of its answers is sent before the last one is ready, and while a thread works on them, the
 * main thread sends those of the batch before. It is enough for about twenty small searches, compared with which the cost of
 * a message is small.
 */
const BATCH_MAX_MS = 0.5;
/**
 * Answers are not picked up before the main thread's event loop comes round to them. If its turns are at least this long, a
 * batch may take as long as a turn: with batches of half a millisecond, a thread would mostly wait under overload.
 */
export const LONG_TURN_MS = 10;
/** But no answer is held back for longer than this by the others of its batch. */
const LONGEST_BATCH_MS = 50;
/**
 * Where much waits, a batch may take this share of all that waits, up to {@link OF_WAITING_MAX_MS}: its answers have waited
 * for longer than the others of the batch hold them back. With batches of half a millisecond the main thread and the others
 * wake each other so often that on two busy cores a thread works for half of the time: at 80% of the maximum rate of the
 * costliest searches a tenth to a third were refused, and 1 to 4% are with this share.
 */
const SHARE_OF_WAITING = 1 / 4;
/** More would save no more messages that matter, and have answers that are long by themselves wait for one another. */
const OF_WAITING_MAX_MS = 5;
/**
 * A second task is added if the first takes less than this, even if the first alone exceeds {@link BATCH_MAX_MS}: with large
 * answers one by one, a thread would wait after each until the main thread has woken up and sent the next.
 */
const PAIR_MAX_MS = 2;
/** A smaller share is not worth a message to another thread, which costs as much as two or three small searches. */
const SHARE_MIN = 4;

/**
 * Takes the next batch from the head of the queue: up to `share` requests (or {@link SHARE_MIN}, if that is more), and at
 * least one, but no more than are expected to fit in {@link BATCH_MAX_MS} or, if the event loop's last turn (`turnMs`) was
 * long, in such a turn, or in the {@link SHARE_OF_WAITING}. A request that `isAlone` is a batch by itself. Requests whose
 * clients have gone are passed to `dropped` and not computed; settled ones are skipped.
 */
export function takeBatch(
  waiting: OpenRequest[],
  { share, turnMs }: { readonly share: number; readonly turnMs: number },
  dropped: (request: OpenRequest) => void,
): OpenRequest[] {
  const waitingMs = waiting.reduce((sum, { expectedMs }) => sum + expectedMs, 0);
  const ofTurnMs = turnMs < LONG_TURN_MS ? BATCH_MAX_MS : Math.min(turnMs, LONGEST_BATCH_MS);
  const ofWaitingMs = Math.min(waitingMs * SHARE_OF_WAITING, OF_WAITING_MAX_MS);
  const limits: BatchLimits = { most: Math.max(SHARE_MIN, share), mostMs: Math.max(ofTurnMs, ofWaitingMs) };
  const batch: OpenRequest[] = [];
  let taken = 0;
  let batchMs = 0;
  for (const request of waiting) {
    if (!mayJoin(request, batch, batchMs, limits)) break;
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

interface BatchLimits {
  readonly most: number;
  readonly mostMs: number;
}

/** Whether a batch that is expected to take `batchMs` so far has room for another request. An empty one has for any. */
function mayJoin(
  request: OpenRequest,
  batch: readonly OpenRequest[],
  batchMs: number,
  { most, mostMs }: BatchLimits,
): boolean {
  const [first] = batch;
  if (!first) return true;
  if (first.isAlone || request.isAlone) return false;
  const roomMs = batch.length === 1 ? Math.max(PAIR_MAX_MS, mostMs) : mostMs;
  return batch.length < most && batchMs < roomMs;
}

/**
 * What waits is worth a message to a thread, which costs as much as some eight rankings, if it is expected to take this long.
 * A thread that is given rankings as soon as it is free gets them by eights: with 64 of them always open, 4 to 8% fewer are
 * answered, with more processor time for each. Eight searches around points are worth a message.
 */
const WORTH_MESSAGE_MS = 0.1;

/** Whether a thread that is free should be given what waits now, rather than together with what the next requests ask. */
export function isWorthMessage(waiting: readonly Pick<OpenRequest, 'expectedMs'>[]): boolean {
  let waitingMs = 0;
  for (const { expectedMs } of waiting) {
    waitingMs += expectedMs;
    if (waitingMs >= WORTH_MESSAGE_MS) return true;
  }
  return false;
}
