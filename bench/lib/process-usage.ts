import { readFileSync } from 'node:fs';

/** Linux reports processor time in /proc in hundredths of a second, whatever the kernel's tick rate. */
const MS_PER_TICK = 10;

/** Processor time that all threads of a process have used so far, ms; undefined if the system cannot tell. */
export function processorMs(pid: number | undefined): number | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The process name in parentheses may contain anything, parentheses too; the text behind it begins with field 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/**
 * Memory that belongs to this process alone and has been written to, bytes: what one more process or thread costs. Mapped
 * datasets are shared and clean, so they do not count. Undefined if the system cannot tell.
 */
export function privateDirtyBytes(pid: number | undefined): number | undefined {
  const [, kib] = /^Private_Dirty: +(\d+) kB/m.exec(readIfThere(`/proc/${pid}/smaps_rollup`) ?? '') ?? [];
  return kib === undefined ? undefined : Number(kib) * 1024;
}

/** What is noted where a suite leaves out figures, because {@link privateDirtyBytes} is undefined. */
export const NO_PRIVATE_MEMORY = 'is skipped: this system does not report private memory';

/** A file's text; undefined if there is none, as where the process or thread that it tells of has ended. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
