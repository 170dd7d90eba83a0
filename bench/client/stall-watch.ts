import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Stall } from './stalls.js';

/** Watches every processor for times in which it ran nothing, because the machine under this one took it away. */
export interface StallWatch {
  /** What was seen since the call before, in no order; undefined where this process may not watch. */
  take(): Promise<Stall[] | undefined>;
}

const WATCHER = join(import.meta.dirname, 'stall-watch-main.js');

/**
 * Starts the watchers, one process a processor; they end with this one. Resolves when they watch, or have given up. Only
 * tests that run from sources name the compiled program.
 */
export async function startStallWatch(program = WATCHER): Promise<StallWatch> {
  const watchers = await Promise.all(
    Array.from({ length: availableParallelism() }, (_, cpu) => startWatcher(program, cpu)),
  );
  return {
    take: async () => {
      const seen = await Promise.all(watchers.map((ask) => ask?.()));
      // One that is missing could have seen what the others did not.
      return seen.includes(undefined) ? undefined : seen.flatMap((stalls) => stalls ?? []);
    },
  };
}

async function startWatcher(program: string, cpu: number): Promise<(() => Promise<Stall[] | undefined>) | undefined> {
  const child = fork(program, [String(cpu)], { stdio: ['ignore', 2, 2, 'ipc'] });
  child.unref();
  child.channel?.unref();
  const ended = once(child, 'exit').then(() => undefined);
  const reply = async (): Promise<Stall[] | undefined> => {
    child.channel?.ref();
    // The watcher sends nothing else than what it has seen.
    const [stalls] = ((await Promise.race([once(child, 'message'), ended])) ?? []) as [Stall[]?];
    child.channel?.unref();
    return stalls;
  };
  if ((await reply()) === undefined) return undefined;
  return async () => {
    if (!child.connected) return undefined;
    const stalls = reply();
    child.send('take');
    return stalls;
  };
}
