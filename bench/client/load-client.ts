import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { killAtExit } from '../lib/at-exit.js';
import { askChild } from '../lib/next-message.js';
import type { Job, LoadResult } from './job.js';

/** A process that puts load on servers, one job at a time. It is reused for all jobs, so that it stays warm. */
export interface LoadClient {
  run(job: Job): Promise<LoadResult>;
  stop(): Promise<void>;
}

export function startLoadClient(): LoadClient {
  const child = fork(join(import.meta.dirname, 'client-main.js'), { stdio: 'inherit', execArgv: ['--expose-gc'] });
  killAtExit(child);
  const exited = once(child, 'exit');
  return {
    // The child sends nothing but results.
    run: async (job) => (await askChild(child, job, 'the load client')) as LoadResult,
    stop: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
