import { executionAsyncResource } from 'node:async_hooks';

/** Keeps the object reachable. */
const kept: object[] = [];

/**
 * Keeps the hidden class of Node's `process.nextTick` queue entries alive as long as the process lives; to be called once,
 * before anything else. A request queues five of these entries.
 *
 * `nextTick` creates them by an object literal with two computed property names. V8 caches the hidden classes of such a
 * literal weakly, and only once. A full collection at a moment when no tick is queued drops the classes, and from then on
 * the literal is slow for ever: it costs 3–4 µs of a request's 50–85, and every server that lives long enough gets there.
 * A single entry that stays alive keeps its class and those that it was derived from.
 */
export function keepTickShape(): void {
  process.nextTick(() => kept.push(executionAsyncResource()));
}
