import { parentPort, workerData } from 'node:worker_threads';
import { attachDataset } from '../format/dataset.js';
import { beginBehindGate } from '../platform/native-gate.js';
import { giveWayToRequests } from '../platform/thread-priority.js';
import { computeDistributions, memoryOf } from './distributions.js';

giveWayToRequests('lowest');

// `workerData` is passed by prepare-distributions.ts, the only module that starts this file.
beginBehindGate(workerData);
const prepared = computeDistributions(attachDataset(workerData).tracts);
parentPort?.postMessage(prepared, memoryOf(prepared));
