import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** A process's resident memory, in MiB. On Linux without mapped files, whose pages the kernel can reclaim. */
export function ownMemoryMib(pid: number): number {
  if (existsSync(`/proc/${pid}/status`)) return anonymousBytes(pid) / 1024 ** 2;
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

/** A process's resident anonymous memory, bytes. Linux only. */
export function anonymousBytes(pid: number): number {
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

/** The bytes of files that a process has in memory. Linux only. */
export function mappedBytes(pid: number): number {
  return Number(/^RssFile:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
