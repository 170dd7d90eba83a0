import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { privateDirtyBytes, readIfThere } from './process-usage.js';

/**
 * A process's direct child processes; none if it has ended. Linux only. Never throws: this is also called by timers, where
 * an error would end the bench with all suites that are still to run.
 */
export function childrenOf(pid: number): number[] {
  const tasks = `/proc/${pid}/task`;
  return tasksIn(tasks).flatMap((task) =>
    // A thread that has ended since has no children.
    (readIfThere(join(tasks, task, 'children')) ?? '').split(' ').filter(Boolean).map(Number),
  );
}

function tasksIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Private memory of a process and all its descendants, bytes; undefined if the system cannot tell. */
export function privateDirtyOfTree(pid: number): number | undefined {
  const own = privateDirtyBytes(pid);
  if (own === undefined) return undefined;
  // A child whose memory cannot be told although its parent's can has just ended.
  return childrenOf(pid).reduce((sum, child) => sum + (privateDirtyOfTree(child) ?? 0), own);
}
