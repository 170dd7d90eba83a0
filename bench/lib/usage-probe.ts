/** Preloaded into a measured process: writes the process's peak resident memory, in KiB, to descriptor 3 at exit. */
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Worker threads load this module too, but the peak is the whole process's and is written once.
if (isMainThread) process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)));
