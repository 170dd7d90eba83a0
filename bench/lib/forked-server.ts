import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { TargetServer } from './target-server.js';

/** Starts a script that tells its parent `{ url }` once it listens, and ends when its parent lets go of it. */
export async function startForked(script: string, args: readonly string[]): Promise<TargetServer> {
  const child = fork(script, [...args], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const ended = exited.then(([code]) => {
    throw new Error(`${script} ${args.join(' ')} ended with ${code}`);
  });
  // It ends well when it is stopped.
  ended.catch(() => {});
  // The script sends nothing else.
  const [{ url }] = (await Promise.race([once(child, 'message'), ended])) as [{ url: string }];
  return {
    url,
    headers: {},
    ...(child.pid === undefined ? {} : { pid: child.pid }),
    stop: async () => {
      child.disconnect();
      await exited;
    },
  };
}
