/**
 * Preloaded into a measured service, which knows nothing of it: on a message from the parent, collects all garbage in every
 * thread, then sends the size of the main thread's heap.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

/** Long enough for idle threads to receive the request and collect their garbage. */
const THREADS_MS = 1000;
/** One is not enough: freed objects may have kept other memory alive, and V8 shrinks its young generation step by step. */
const COLLECTIONS = 3;
/** Requests that are still unanswered may keep a service busy for seconds after its clients have gone. */
const [BACKLOG_MAX_MS, LOOK_EVERY_MS, IDLE_SHARE] = [30_000, 500, 0.1];
/** After this time the service has returned its free memory to the system. */
const SETTLE_MS = 3000;

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');
const collect = (): void => {
  if (typeof collectGarbage === 'function') collectGarbage();
};

const threads = new BroadcastChannel('bench-collect-garbage');
threads.onmessage = collect;
// Node's BroadcastChannel has `unref`, though not all versions of its types declare it; without it no thread would exit.
if ('unref' in threads && typeof threads.unref === 'function') threads.unref();

if (isMainThread) {
  process.on('message', async () => {
    await nothingToDo();
    for (let collection = 0; collection < COLLECTIONS; collection++) {
      threads.postMessage(null);
      collect();
      await delay(THREADS_MS);
    }
    await delay(SETTLE_MS);
    const { heapUsed, external } = process.memoryUsage();
    process.send?.({ heapBytes: heapUsed + external });
  });
  process.channel?.unref();
}

async function nothingToDo(): Promise<void> {
  for (let waitedMs = 0; waitedMs < BACKLOG_MAX_MS; waitedMs += LOOK_EVERY_MS) {
    const before = process.cpuUsage();
    await delay(LOOK_EVERY_MS);
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1000 < LOOK_EVERY_MS * IDLE_SHARE) return;
  }
}
