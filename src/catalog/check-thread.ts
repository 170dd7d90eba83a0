import { parentPort, workerData } from 'node:worker_threads';
import { beginBehindGate } from '../platform/native-gate.js';
import { giveWayToRequests } from '../platform/thread-priority.js';
import { runCheck } from './generation-checks.js';

giveWayToRequests();

beginBehindGate(workerData);
/** Given by check-threads.ts, which is all that starts this file. */
parentPort?.postMessage(runCheck(workerData));
