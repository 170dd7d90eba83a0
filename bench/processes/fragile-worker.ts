import { existsSync, rmSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';

/*
 * To be loaded first by a service, as `file:///…/fragile-worker.js?<file>`: once that file is there, the next worker thread
 * that looks at its clock removes it and exits, which is in the middle of a batch.
 */
const exitFile = decodeURIComponent(new URL(import.meta.url).search.slice(1));
if (!isMainThread && workerData?.dataset) {
  const now = performance.now.bind(performance);
  performance.now = () => {
    if (existsSync(exitFile)) {
      rmSync(exitFile, { force: true });
      process.exit(1);
    }
    return now();
  };
}
