import { readFileSync } from 'node:fs';

/** Linux counts processor time for /proc in hundredths of a second, whatever the kernel's own clock. */
const MS_PER_TICK = 10;

/** Processor time that a process has used so far, all threads, ms; undefined where the system does not tell. */
export function processorMs(pid: number | undefined): number | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The name in parentheses may hold anything; the fields behind it begin with the third.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/**
 * Memory that is this process's alone and that it has written to, bytes: what one more process or thread costs. Mapped
 * datasets are shared and clean, and do not count. Undefined where the system does not tell.
 */
export function privateDirtyBytes(pid: number | undefined): number | undefined {
  const [, kib] = /^Private_Dirty: +(\d+) kB/m.exec(readIfThere(`/proc/${pid}/smaps_rollup`) ?? '') ?? [];
  return kib === undefined ? undefined : Number(kib) * 1024;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
