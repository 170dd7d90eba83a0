import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { attachDataset } from '../format/dataset.js';
import { beginBehindGate } from '../platform/native-gate.js';
import { computeDistributions, memoryOf } from './distributions.js';

// Requests come first. Linux knows priorities of threads; elsewhere this would slow the whole process down.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

// `workerData` is given by prepare-distributions.ts, which is all that starts this file.
beginBehindGate(workerData);
const prepared = computeDistributions(attachDataset(workerData).tracts);
parentPort?.postMessage(prepared, memoryOf(prepared));
