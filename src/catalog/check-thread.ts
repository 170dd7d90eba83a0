import { parentPort, workerData } from 'node:worker_threads';
import { beginBehindGate } from '../platform/native-gate.js';
import { giveWayToRequests } from '../platform/thread-priority.js';
import { runCheck } from './generation-checks.js';

giveWayToRequests();

beginBehindGate(workerData);
// The only code that starts this file is check-threads.ts, which passes the check as workerData.
parentPort?.postMessage(runCheck(workerData));
