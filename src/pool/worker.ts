import { once } from 'node:events';
import { type MessagePort, workerData } from 'node:worker_threads';
import { attachDataset, type Dataset } from '../format/dataset.js';
import { FormatError } from '../format/format-error.js';
import { matchAll } from '../geocode/offloading-geocoder.js';
import { passNativeGate, type WithGate } from '../platform/native-gate.js';
import { type Allocate, jsonBody } from '../query/body-writer.js';
import { nearbyBody } from '../query/nearby.js';
import { providersInBox, providersInTract, providersNear } from '../query/providers.js';
import { createRankings, type WriteRankings } from '../query/rankings.js';
import { tractFeatures } from '../query/tract-geojson.js';
import { trends } from '../query/trends.js';
import { type Arena, createArena } from './arena.js';
import {
  type BatchReply,
  fromSent,
  type MappedDataset,
  type Message,
  type Order,
  type Outcome,
  type SentBatch,
  type Task,
  UP,
} from './protocol.js';

/** Passed by thread-pool.ts, the only module that starts this file. */
const { gate }: WithGate = workerData;
passNativeGate(gate);

/** A dataset that this thread is to read. */
interface Attached {
  readonly mapped: MappedDataset;
  /** Undefined until it could be read. */
  opened?: Opened;
}

interface Opened {
  readonly dataset: Dataset;
  readonly rankings: WriteRankings;
}

/** By the main thread's numbers. */
const attached = new Map<number, Attached>();

/** Moving average of the bytes per answer, by which the memory of the next batch is sized. */
let usualBytes = 4096;
/** Extra room over the average, so that few batches need a second buffer. */
const SPARE = 1.25;
/** The weight of the newest batch in the average. */
const WEIGHT = 0.2;
/** Caps a batch's part in the average: after a few huge answers, batches must not allocate as much for small ones. */
const USUAL_MAX_BYTES = 64 * 1024;

/** Follows the orders that arrive on a port, until the port is closed. */
export async function serve(port: MessagePort): Promise<void> {
  port.on('message', (order: Order) => {
    if ('tasks' in order) {
      const reply = answer(order);
      // The buffers are transferred, not copied.
      port.postMessage(reply, reply.ok ? [...reply.buffers] : []);
    } else if ('attach' in order) attach(order.attach, order.dataset);
    else {
      attached.delete(order.detach);
      port.postMessage({ detached: order.detach } satisfies Message);
    }
  });
  port.postMessage(UP satisfies Message);
  await once(port, 'close');
}

/**
 * Reads the dataset before the first batch: by the time that arrives, there may be no file descriptor left to load the C
 * library with. A failure is reported when the first batch tries again.
 */
function attach(number: number, mapped: MappedDataset): void {
  const added: Attached = { mapped };
  attached.set(number, added);
  try {
    open(added);
  } catch {}
}

/** Throws FormatError if the dataset cannot be read. */
function open(of: Attached): Opened {
  if (!of.opened) {
    const dataset = attachDataset(of.mapped);
    of.opened = { dataset, rankings: createRankings(dataset.tracts) };
  }
  return of.opened;
}

/** Answers the tasks of a batch from a dataset, which is read in the main thread's mapping. */
function answer({ from, tasks, lent }: SentBatch): BatchReply {
  const source = attached.get(from);
  if (!source) throw new Error('a worker was given a batch for a dataset that it has not attached');
  let opened: Opened;
  try {
    opened = open(source);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { ok: false, code: 'dataset-unreadable', detail: `${error.code} in ${error.section ?? 'the header'}` };
  }
  const arena = createArena(Math.ceil(usualBytes * SPARE * tasks.length), lent);
  const outcomes: Outcome[] = [];
  let bytes = 0;
  let startedAtMs = performance.now();
  for (const task of tasks) {
    const outcome = attempt(opened, fromSent(task), arena, startedAtMs);
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

/** Runs a task. If it throws, which is a bug, only that task fails; the others are answered. */
function attempt(opened: Opened, task: Task, arena: Arena, startedAtMs: number): Outcome {
  try {
    const body = run(opened, task, arena.allocate);
    const { buffer, start } = arena.placeOf(body);
    return [buffer, start, start + body.byteLength, performance.now() - startedAtMs];
  } catch (error) {
    return { thrown: error instanceof Error ? error : new Error('a query threw what is no error') };
  }
}

function run({ dataset, rankings }: Opened, task: Task, allocate: Allocate): Uint8Array {
  switch (task.kind) {
    case 'nearby':
      return nearbyBody(dataset.tracts, task.query, allocate);
    case 'rankings':
      return rankings(task.row, allocate);
    case 'trends':
      return jsonBody(trends(dataset.tracts, task.row), allocate);
    case 'providers-near':
      return providersNear(dataset, task.query, allocate);
    case 'providers-in-tract':
      return providersInTract(dataset, task.query, allocate);
    case 'providers-in-box':
      return providersInBox(dataset, task.query, allocate);
    case 'tract-features':
      return tractFeatures(dataset.tracts, dataset.outlines, task.query, allocate);
    case 'geocode':
      return jsonBody(matchAll(dataset, task.addresses), allocate);
  }
}
