/** Preloaded into a measured process: says on descriptor 3, at its end, how much memory it had at most, in KiB. */
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Worker threads load this, too; the process's peak is one figure.
if (isMainThread) process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)));
