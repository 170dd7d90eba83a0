import { parentPort, workerData } from 'node:worker_threads';
import { writeOutlinesFile } from '../../format/outlines-file.js';
import { beginBehindGate } from '../../platform/native-gate.js';
import type { OutlinesJob } from './outlines-writing.js';

/** Passed by outlines-writing.ts, the only module that starts this file. */
const { path, outlines }: OutlinesJob = workerData;
beginBehindGate(workerData);
parentPort?.postMessage(writeOutlinesFile(path, outlines));
