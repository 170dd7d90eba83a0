/** The load client's process: runs the jobs that its parent sends, one at a time, and sends back each job's result. */
import type { Job, LoadResult } from './job.js';
import { type StallWatch, startStallWatch } from './stall-watch.js';

let stallWatch: Promise<StallWatch> | undefined;

async function run(job: Job): Promise<LoadResult> {
  switch (job.kind) {
    case 'closed':
      return (await import('./closed-loop.js')).runClosedLoop(job);
    case 'autocannon':
      return (await import('./autocannon-loop.js')).runAutocannon(job);
    case 'open': {
      const { runOpenLoop } = await import('./open-loop.js');
      // Kept between jobs, because starting the watchers would disturb the next loop.
      stallWatch ??= startStallWatch();
      return runOpenLoop(job, await stallWatch);
    }
  }
}

// Only load-client.ts sends anything.
process.on('message', async (job: Job) => {
  process.send?.(await run(job));
});
