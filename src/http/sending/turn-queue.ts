/**
 * Puts things off to the end of the event loop's turn, and does them one after the other; at once where there are many.
 *
 * Answers are written so. Writing wakes the client, and the kernel spends as much time on waking a sleeper as on all else of
 * a small write. Between two answers that are written as soon as they are made, the client has time to fall asleep again;
 * of those that are written back to back, most find it awake. With 64 connections that is 36 µs of processor time a request
 * instead of 61 (`GET /v1/context`, bare `node:http` 16), and a request that comes alone waits for nothing.
 */
export function createTurnQueue<T>(handle: (item: T) => void): (item: T) => void {
  let items: T[] = [];
  const flush = (): void => {
    const due = items;
    items = [];
    for (const item of due) handle(item);
  };
  return (item) => {
    items.push(item);
    if (items.length === 1) setImmediate(flush);
    else if (items.length === TURN_MAX) flush();
  };
}

/** With more, the first would wait for milliseconds; to the client's sleep it makes no difference any more. */
const TURN_MAX = 64;
