/** The load client's process: runs the jobs that its parent sends, one at a time, and sends back each job's result. */
import type { Job, LoadResult } from './job.js';
import { type StallWatch, startStallWatch } from './stall-watch.js';

let stallWatch: Promise<StallWatch> | undefined;

const LOOPS: Readonly<Record<Job['kind'], () => Promise<(job: Job) => Promise<LoadResult>>>> = {
  closed: async () => (await import('./closed-loop.js')).runClosedLoop,
  open: async () => {
    const { runOpenLoop } = await import('./open-loop.js');
    // Kept between jobs, because starting the watchers would disturb the next loop.
    stallWatch ??= startStallWatch();
    const watch = await stallWatch;
    return (job) => runOpenLoop(job, watch);
  },
  autocannon: async () => (await import('./autocannon-loop.js')).runAutocannon,
};

// Only load-client.ts sends anything.
process.on('message', async (job: Job) => {
  const run = await LOOPS[job.kind]();
  process.send?.(await run(job));
});
