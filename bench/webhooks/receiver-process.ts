import { fork } from 'node:child_process';
import { join } from 'node:path';
import { killAtExit } from '../lib/at-exit.js';
import { askChild, nextMessage } from '../lib/next-message.js';

const NAME = 'the receiver of the deliveries';

/** The process that receives the deliveries to all subscribers. */
export interface Receiver {
  readonly url: string;
  /** The number of requests so far, by path. */
  counts(): Promise<Readonly<Record<string, number>>>;
  stop(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const child = fork(join(import.meta.dirname, 'receiver.js'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  killAtExit(child);
  // The receiver sends its URL first, and after that only counts.
  const { url } = (await nextMessage(child, NAME)) as { url: string };
  return {
    url,
    counts: async () => {
      const { counts } = (await askChild(child, 'counts', NAME)) as { counts: Record<string, number> };
      return counts;
    },
    stop: () => {
      if (child.connected) child.disconnect();
    },
  };
}
