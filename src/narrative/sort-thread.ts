import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { attachDataset } from '../format/dataset.js';
import { beginBehindGate } from '../platform/native-gate.js';
import { sortUnranked } from './distributions.js';

// Requests come first. Linux knows priorities of threads; elsewhere this would slow the whole process down.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

// `workerData` is given by prepare-distributions.ts, which is all that starts this file.
beginBehindGate(workerData);
const columns = sortUnranked(attachDataset(workerData).tracts);
parentPort?.postMessage(
  columns,
  columns.map(({ sorted }) => sorted.buffer),
);
