/**
 * Preloaded into a measured service: collects all garbage when its parent says so, in every thread, and tells when it
 * has. The service knows nothing of it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

/** Long enough for idle threads to have heard of it and done it. */
const THREADS_MS = 1000;
/** What one collection finds dead may be all that holds other memory, and V8 gives room for the young back step by step. */
const COLLECTIONS = 3;
/** What was asked for and not answered yet may keep a service busy for seconds after its clients have gone. */
const [BACKLOG_MAX_MS, LOOK_EVERY_MS, IDLE_SHARE] = [30_000, 500, 0.1];
/** By then the service has given back what is free. */
const SETTLE_MS = 3000;

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');
const collect = (): void => {
  if (typeof collectGarbage === 'function') collectGarbage();
};

const threads = new BroadcastChannel('bench-collect-garbage');
threads.onmessage = collect;
// Node's BroadcastChannel has it, its types do not say so on all versions; without it no thread would ever end.
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
