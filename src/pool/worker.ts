import { once } from 'node:events';
import { type MessagePort, workerData } from 'node:worker_threads';
import { attachDataset, type Dataset } from '../format/dataset.js';
import { FormatError } from '../format/format-error.js';
import { matchesBody } from '../geocode/together.js';
import { passNativeGate } from '../platform/native-gate.js';
import { type Allocate, jsonBody } from '../query/body-writer.js';
import { nearbyBody } from '../query/nearby.js';
import { providersInBox, providersInTract, providersNear } from '../query/providers.js';
import { createRankings, type WriteRankings } from '../query/rankings.js';
import { tractFeatures } from '../query/tract-geojson.js';
import { trends } from '../query/trends.js';
import { type Arena, createArena } from './arena.js';
import { type Batch, type BatchReply, type Outcome, type Task, UP, type WorkerSetup } from './protocol.js';

/** Given by threads.ts, which is all that starts this file. */
const setup: WorkerSetup = workerData;
passNativeGate(setup.gate);

let dataset: Dataset | undefined;
let rankings: WriteRankings | undefined;

/** What an answer has taken lately, by which the next batch's memory is measured. */
let usualBytes = 4096;
/** Room beside the usual, so that few batches need a second buffer. */
const SPARE = 1.25;
/** How much the newest batch says of the usual. */
const WEIGHT = 0.2;
/** A few huge answers must not make all that follow take their memory. */
const USUAL_MAX_BYTES = 64 * 1024;

/** Answers the batches that come by a port, until it is closed. */
export async function serve(port: MessagePort): Promise<void> {
  port.on('message', (batch: Batch) => {
    const reply = answer(batch);
    // The memory goes along itself, instead of a copy.
    port.postMessage(reply, reply.ok ? [...reply.buffers] : []);
  });
  // Before the first batch: when that comes, no file descriptor may be left to load the C library by. What fails is told then.
  try {
    dataset ??= attachDataset(setup.dataset);
  } catch {}
  port.postMessage(UP);
  await once(port, 'close');
}

/** Answers the tasks of a batch. They are read where the main thread has mapped them. */
function answer({ tasks, lent }: Batch): BatchReply {
  try {
    dataset ??= attachDataset(setup.dataset);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { ok: false, code: 'dataset-unreadable', detail: `${error.code} in ${error.section ?? 'the header'}` };
  }
  const arena = createArena(Math.ceil(usualBytes * SPARE * tasks.length), lent);
  const outcomes: Outcome[] = [];
  let bytes = 0;
  let startedAtMs = performance.now();
  for (const task of tasks) {
    const outcome = attempt(dataset, task, arena, startedAtMs);
    outcomes.push(outcome);
    if ('thrown' in outcome) startedAtMs = performance.now();
    else {
      startedAtMs += outcome[3];
      bytes += outcome[2] - outcome[1];
    }
  }
  if (!lent) usualBytes += (Math.min(bytes / tasks.length, USUAL_MAX_BYTES) - usualBytes) * WEIGHT;
  return { ok: true, buffers: arena.finish(), outcomes };
}

/** Runs a task. A throw is a bug: it stays with its task, and the others are answered. */
function attempt(opened: Dataset, task: Task, arena: Arena, startedAtMs: number): Outcome {
  try {
    const body = run(opened, task, arena.allocate);
    const { buffer, start } = arena.placeOf(body);
    return [buffer, start, start + body.byteLength, performance.now() - startedAtMs];
  } catch (error) {
    return { thrown: error instanceof Error ? error : new Error('a query threw what is no error') };
  }
}

function run(opened: Dataset, task: Task, allocate: Allocate): Uint8Array {
  switch (task.kind) {
    case 'nearby':
      return nearbyBody(opened.tracts, task.query, allocate);
    case 'rankings':
      rankings ??= createRankings(opened.tracts);
      return rankings(task.row, allocate);
    case 'trends':
      return jsonBody(trends(opened.tracts, task.row), allocate);
    case 'providers-near':
      return providersNear(opened, task.query, allocate);
    case 'providers-in-tract':
      return providersInTract(opened, task.query, allocate);
    case 'providers-in-box':
      return providersInBox(opened, task.query, allocate);
    case 'tract-features':
      return tractFeatures(opened.tracts, opened.outlines, task.query, allocate);
    case 'geocode':
      return matchesBody(opened, task.addresses, allocate);
  }
}
