import { workerData } from 'node:worker_threads';
import { type Dataset, openDataset } from '../format/dataset.js';
import { FormatError } from '../format/format-error.js';
import { nearby } from '../query/nearby.js';
import type { Reply, Task, WorkerSetup } from './protocol.js';

/** Given by pool.ts, which is all that starts this file. */
const setup: WorkerSetup = workerData;

let dataset: Dataset | undefined;

const encoder = new TextEncoder();

/** Answers one task. Maps the files itself at the first one: the kernel shares their pages between threads. */
export function answer(task: Task): Reply {
  try {
    dataset ??= openDataset(setup.datasetDirectory);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { ok: false, code: 'dataset-unreadable', detail: `${error.code} in ${error.section ?? 'the header'}` };
  }
  // An encoder's array has a buffer to itself; a Buffer's shared one would be copied between threads whole.
  return { ok: true, body: encoder.encode(JSON.stringify(run(dataset, task))) };
}

function run(opened: Dataset, task: Task): unknown {
  switch (task.kind) {
    case 'nearby':
      return nearby(opened.tracts, task.query);
  }
}
