import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { childrenOf } from '../../bench/lib/process-tree.js';

/** Kills a process and its children at once, as when the machine fails. Linux only. */
export function killTree(pid: number): void {
  for (const each of [pid, ...childrenOf(pid)]) process.kill(each, 'SIGKILL');
}

/** The nice value of each of a process's threads; 0 is the normal priority. Linux only. */
export function nicenessOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    // The process name in parentheses may contain anything; the text behind it begins with field 3.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
}

/** Keeps a running process from extending any file, as a full disk does. Linux only, with prlimit. */
export function allowNoLongerFiles(pid: number): void {
  execFileSync('prlimit', [`--pid=${pid}`, '--fsize=0']);
}

/** Allows a running process to open further files, sockets and pipes, or forbids it. Linux only, with prlimit. */
export function allowDescriptors(pid: number, allowed: boolean): void {
  const [, most = ''] = /^Max open files +\d+ +(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8')) ?? [];
  execFileSync('prlimit', [`--pid=${pid}`, `--nofile=${allowed ? most : 0}:${most}`]);
}
