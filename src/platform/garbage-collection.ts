import { setFlagsFromString } from 'node:v8';

/**
 * Node's flag for the space for new objects in each thread, MiB, which cannot be set once a process runs. V8 doubles its
 * space up to 16 MiB and pauses 0.9 ms to collect that, or 0.3 ms for 4 MiB, which stay in the processor's cache. At 13,200
 * addresses a second (`GET /v1/context?address=`) the median p99 of nine samples was 1.3 ms, and 1.9 with 16 MiB; the
 * processor time of an answer is the same (context 21.3 µs, 21.7 with 16 MiB). Each of three processes of two threads has 75
 * to 87 MiB of its own under load (nearby) instead of 114 to 187.
 */
export const YOUNG_GENERATION = '--max-semi-space-size=4';

/**
 * Tunes V8's garbage collector for a server, where hardly any object outlives the request that made it. Applies to this
 * process and its threads; to be called once.
 *
 * - The old generation may grow by 1.5 times its live size before it is collected. V8's own heuristic gives 0.1 to 3 times,
 *   less the more slowly a program fills it: 3 MB beside 28, collected up to twice a second, each time on both of two cores
 *   for 30 to 60 ms. At 10,000 searches a second (`GET /v1/nearby`, a new connection for each), the p99 within a second fell
 *   from 33 ms to 10.
 * - No objects are allocated in the old generation from the start (pretenured). V8 would do so for the rest of the
 *   process's life once nearly all objects of an allocation site have survived, as they do while requests queue up; and
 *   everything that such an object references then outlives its request, too, including the bytes of its answer. One process
 *   in five had six full collections in the same five seconds in which the others had one.
 * - Young objects are collected by one thread. Hardly any are left to share out, and V8's helpers, woken 25 times a second,
 *   take the core from the thread that waits for them. At 13,200 addresses a second on two cores, client included, the
 *   median p99 of nine samples fell from 2.9 ms to 1.9.
 */
export function setUpGarbageCollection(): void {
  setFlagsFromString('--heap-growing-percent=150');
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--no-parallel-scavenge');
}
