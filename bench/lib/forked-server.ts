import { fork } from 'node:child_process';
import { once } from 'node:events';
import { killAtExit } from './at-exit.js';
import { nextMessage } from './next-message.js';
import type { TargetServer } from './target-server.js';

/** Forks a script that sends `{ url }` to its parent once it listens, and that exits when its parent disconnects. */
export async function startForked(script: string, args: readonly string[]): Promise<TargetServer> {
  const child = fork(script, [...args], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  killAtExit(child);
  const exited = once(child, 'exit');
  // The script sends nothing else.
  const { url } = (await nextMessage(child, `${script} ${args.join(' ')}`)) as { url: string };
  return {
    url,
    headers: {},
    ...(child.pid === undefined ? {} : { pid: child.pid }),
    stop: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
