import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { TargetServer } from './target-server.js';

/** Forks a script that sends `{ url }` to its parent once it listens, and that exits when its parent disconnects. */
export async function startForked(script: string, args: readonly string[]): Promise<TargetServer> {
  const child = fork(script, [...args], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const ended = exited.then(([code]) => {
    throw new Error(`${script} ${args.join(' ')} ended with ${code}`);
  });
  // Once stopped, the script exits normally: that must not become an unhandled rejection.
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
