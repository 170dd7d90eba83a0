import { execFileSync } from 'node:child_process';
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

/** Keeps a process that runs from making any file longer, as a full disk does. Linux, with prlimit. */
export function allowNoLongerFiles(pid: number): void {
  execFileSync('prlimit', [`--pid=${pid}`, '--fsize=0']);
}

/** Whether a process that runs may open files, sockets and pipes beside those that it has. Linux, with prlimit. */
export function allowDescriptors(pid: number, allowed: boolean): void {
  const [, most = ''] = /^Max open files +\d+ +(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8')) ?? [];
  execFileSync('prlimit', [`--pid=${pid}`, `--nofile=${allowed ? most : 0}:${most}`]);
}
