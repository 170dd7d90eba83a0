import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { beginBehindGate } from '../platform/native-gate.js';
import { runCheck } from './generation-checks.js';

// Requests come first. Linux knows priorities of threads; elsewhere this would slow the whole process down.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

beginBehindGate(workerData);
/** Given by check-threads.ts, which is all that starts this file. */
parentPort?.postMessage(runCheck(workerData));
