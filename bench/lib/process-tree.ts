import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { privateDirtyBytes } from './process-usage.js';

/** The processes that a process has started. Linux. */
export function childrenOf(pid: number): number[] {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).flatMap((task) =>
    readFileSync(join(tasks, task, 'children'), 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );
}

/** Private memory of a process and all that it started; NaN where the system does not tell. */
export function privateDirtyOfTree(pid: number): number {
  const own = privateDirtyBytes(pid);
  if (own === undefined) return Number.NaN;
  return childrenOf(pid).reduce((sum, child) => sum + privateDirtyOfTree(child), own);
}
