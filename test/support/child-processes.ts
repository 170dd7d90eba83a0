import { readdirSync, readFileSync } from 'node:fs';
import { childrenOf } from '../../bench/lib/process-tree.js';

/** Ends a process and all that it has started, at once, as when the machine fails. Linux. */
export function killTree(pid: number): void {
  for (const each of [pid, ...childrenOf(pid)]) process.kill(each, 'SIGKILL');
}

/** How far each of a process's threads gives way to others: 0 where not at all. Linux. */
export function nicenessOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    // The name in parentheses may hold anything; the fields behind it begin with the third.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
}
