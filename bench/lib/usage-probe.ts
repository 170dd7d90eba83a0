/** Preloaded into a measured process: writes the process's peak resident memory, in KiB, to descriptor 3 at exit. */
import { readFileSync, writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Worker threads load this module too, but the peak is the whole process's and is written once.
if (isMainThread) process.on('exit', () => writeSync(3, String(peakRssKib())));

/**
 * On Linux, the peak since this program began: `maxRSS` also counts what the process was before, a copy of the bench, which
 * may be far larger.
 */
function peakRssKib(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  const [, kib] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kib);
}
