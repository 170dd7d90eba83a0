import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** A process's resident memory, in MiB. On Linux without mapped files, whose pages the kernel can reclaim. */
export function ownMemoryMib(pid: number): number {
  const status = `/proc/${pid}/status`;
  if (existsSync(status)) return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1]) / 1024;
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}
