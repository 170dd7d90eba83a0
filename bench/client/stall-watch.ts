import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stall } from './stalls.js';

/** Watches every processor for stalls: times in which it ran nothing, because the host had taken it away. */
export interface StallWatch {
  /** The stalls since the previous call, in no order; undefined if not all processors can be watched. */
  take(): Promise<Stall[] | undefined>;
}

const WATCHER = join(import.meta.dirname, 'stall-watch-main.js');

/**
 * The processors that this process may run on, from the text of `/proc/self/status`: where it may not run on all of them, as
 * in a container, their numbers are not the first ones.
 */
export function allowedProcessors(status: string): number[] {
  const [, list = ''] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status) ?? [];
  return [...list.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index),
  );
}

/**
 * Starts the watchers, one process per processor, which exit with this one. Resolves when each of them watches or has given
 * up. `program` is for tests, which run from sources and have to name the compiled watcher.
 */
export async function startStallWatch(program = WATCHER): Promise<StallWatch> {
  // Elsewhere no process can be bound to a processor.
  const processors = process.platform === 'linux' ? allowedProcessors(readFileSync('/proc/self/status', 'utf8')) : [];
  const watchers = await Promise.all(processors.map((processor) => startWatcher(program, processor)));
  return {
    take: async () => {
      if (watchers.length === 0) return undefined;
      const seen = await Promise.all(watchers.map((ask) => ask?.()));
      // Without one of the watchers, its processor's stalls are unknown, so the others' list would be incomplete.
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
    // The watcher sends nothing but lists of stalls.
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
