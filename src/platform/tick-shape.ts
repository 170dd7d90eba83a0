import { executionAsyncResource } from 'node:async_hooks';

/** Only to be there. */
const kept: object[] = [];

/**
 * Keeps the hidden class of the objects by which Node queues `process.nextTick`, as long as the process lives; to be called
 * once, before anything else. A request queues five of them.
 *
 * `nextTick` sets two of their fields by computed names, in a literal. V8 remembers the hidden classes for such a place
 * weakly, and once. A full collection at a moment when no tick waits drops the classes; from then on that place is slow,
 * for ever: 3–4 µs a request of 50–85, and every server that lives long enough gets there. One of these objects that stays
 * alive keeps its class and those that it came from.
 */
export function keepTickShape(): void {
  process.nextTick(() => kept.push(executionAsyncResource()));
}
