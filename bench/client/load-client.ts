import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Job, LoadResult } from './job.js';

/** A process that puts load on servers, one job at a time. It is reused for all jobs, so that it stays warm. */
export interface LoadClient {
  run(job: Job): Promise<LoadResult>;
  stop(): Promise<void>;
}

export function startLoadClient(): LoadClient {
  const child = fork(join(import.meta.dirname, 'client-main.js'), { stdio: 'inherit', execArgv: ['--expose-gc'] });
  const exited = once(child, 'exit');
  return {
    run: async (job) => {
      child.send(job);
      const ended = exited.then(([code]) => {
        throw new Error(`the load client ended with ${code}`);
      });
      // After the last job the child exits normally: that must not become an unhandled rejection.
      ended.catch(() => {});
      // The child sends nothing else.
      const [result] = (await Promise.race([once(child, 'message'), ended])) as [LoadResult];
      return result;
    },
    stop: async () => {
      child.disconnect();
      await exited;
    },
  };
}
