import { parentPort, workerData } from 'node:worker_threads';
import { beginBehindGate } from '../../platform/native-gate.js';
import { openOnDisk } from '../files/discover.js';
import { ShapePacker } from '../files/packed-shapes.js';
import { readShp } from '../files/shp.js';
import { InputError } from '../input.js';
import type { ShapesReply, ShapesRequest } from './shape-reader.js';

// `workerData` is passed by shape-reader.ts, the only module that starts this file.
beginBehindGate(workerData);
// Requests are not queued: files requested at the same time are read concurrently.
parentPort?.on('message', (request: ShapesRequest) => void answer(request));

async function answer(request: ShapesRequest): Promise<void> {
  const { id } = request;
  try {
    send({ id, recordCount: await sendShapes(request) });
  } catch (error) {
    send({ id, error, isInputError: error instanceof InputError });
  }
}

/** Sends the wanted shapes; resolves with the number of records in the file. */
async function sendShapes({ id, place, wanted }: ShapesRequest): Promise<number> {
  const file = (await openOnDisk(place.disk))[place.member];
  if (!file) throw new InputError(`${place.disk.label}: cannot be read: it changed while it was read`);
  const packer = new ShapePacker();
  const sendPacked = (): void => {
    const shapes = packer.take();
    send({ id, shapes }, [shapes.vertices.buffer]);
  };
  const recordCount = await readShp(
    file,
    (record) => wanted.has(record),
    (record, shape) => {
      packer.add(record, shape);
      if (packer.isFull) sendPacked();
    },
  );
  sendPacked();
  return recordCount;
}

function send(reply: ShapesReply, transferred: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(reply, transferred);
}
