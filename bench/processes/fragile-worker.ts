import { existsSync, rmSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';

/*
 * Preloaded into a service as `file:///…/fragile-worker.js?<file>`. Once that file exists, the next worker thread that calls
 * `performance.now` removes the file and exits. Worker threads call it in the middle of a batch.
 */
const exitFile = decodeURIComponent(new URL(import.meta.url).search.slice(1));
// Other threads are told more.
if (!isMainThread && Object.keys(workerData ?? {}).join() === 'gate') {
  const now = performance.now.bind(performance);
  performance.now = () => {
    if (existsSync(exitFile)) {
      rmSync(exitFile, { force: true });
      process.exit(1);
    }
    return now();
  };
}
