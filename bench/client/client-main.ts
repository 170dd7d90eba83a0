/** The process that puts load on servers: takes jobs from its parent one by one and gives back what came of each. */
import type { Job, LoadResult } from './job.js';

const LOOPS: Readonly<Record<Job['kind'], () => Promise<(job: Job) => Promise<LoadResult>>>> = {
  closed: async () => (await import('./closed-loop.js')).runClosedLoop,
  open: async () => (await import('./open-loop.js')).runOpenLoop,
  autocannon: async () => (await import('./autocannon-loop.js')).runAutocannon,
};

// Only load-client.ts sends anything.
process.on('message', async (job: Job) => {
  const run = await LOOPS[job.kind]();
  process.send?.(await run(job));
});
