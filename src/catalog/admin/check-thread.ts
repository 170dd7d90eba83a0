import { parentPort, workerData } from 'node:worker_threads';
import { beginBehindGate } from '../../platform/native-gate.js';
import { giveWayToRequests } from '../../platform/thread-priority.js';
import { runCheck } from './generation-checks.js';

// The only code that starts this file is check-threads.ts, which passes the check and the priority as workerData.
giveWayToRequests(workerData.priority);

beginBehindGate(workerData);
parentPort?.postMessage(runCheck(workerData.check));
