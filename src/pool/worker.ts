import { workerData } from 'node:worker_threads';
import { type Dataset, openDataset } from '../format/dataset.js';
import { FormatError } from '../format/format-error.js';
import { nearbyBody } from '../query/nearby.js';
import { providersInBox, providersInTract, providersNear } from '../query/providers.js';
import { rankings } from '../query/rankings.js';
import { tractFeatures } from '../query/tract-geojson.js';
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
  return { ok: true, body: run(dataset, task) };
}

/** An array over a buffer of its own: a part of a shared one would be copied between threads with all of it. */
function run(opened: Dataset, task: Task): Uint8Array {
  switch (task.kind) {
    case 'nearby':
      return nearbyBody(opened.tracts, task.query);
    case 'rankings':
      return json(rankings(opened.tracts, task.row));
    case 'providers-near':
      return providersNear(opened, task.query);
    case 'providers-in-tract':
      return providersInTract(opened, task.query);
    case 'providers-in-box':
      return providersInBox(opened, task.query);
    case 'tract-features':
      return tractFeatures(opened.tracts, opened.outlines, task.query);
  }
}

function json(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value));
}
