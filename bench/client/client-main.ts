/** The process that puts load on servers: takes jobs from its parent one by one and gives back what came of each. */
import type { Job, LoadResult } from './job.js';
import { type StallWatch, startStallWatch } from './stall-watch.js';

let stallWatch: Promise<StallWatch> | undefined;

const LOOPS: Readonly<Record<Job['kind'], () => Promise<(job: Job) => Promise<LoadResult>>>> = {
  closed: async () => (await import('./closed-loop.js')).runClosedLoop,
  open: async () => {
    const { runOpenLoop } = await import('./open-loop.js');
    // Kept: processes that start would disturb the next loop.
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
