import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { privateDirtyBytes } from './process-usage.js';

/** A process's direct child processes. Linux only. */
export function childrenOf(pid: number): number[] {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).flatMap((task) =>
    readFileSync(join(tasks, task, 'children'), 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );
}

/** Private memory of a process and all its descendants, bytes; undefined if the system cannot tell. */
export function privateDirtyOfTree(pid: number): number | undefined {
  const own = privateDirtyBytes(pid);
  if (own === undefined) return undefined;
  // A child whose memory cannot be told although its parent's can has just ended.
  return childrenOf(pid).reduce((sum, child) => sum + (privateDirtyOfTree(child) ?? 0), own);
}
