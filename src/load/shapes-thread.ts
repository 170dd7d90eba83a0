import { parentPort, workerData } from 'node:worker_threads';
import { beginBehindGate } from '../platform/native-gate.js';
import { openOnDisk } from './files/discover.js';
import { ShapePacker } from './files/packed-shapes.js';
import { readShp } from './files/shp.js';
import { InputError } from './input.js';
import type { ShapesReply, ShapesRequest } from './shape-reader.js';

// `workerData` is given by shape-reader.ts, which is all that starts this file.
beginBehindGate(workerData);
// Files that are asked for at the same time are read side by side.
parentPort?.on('message', (request: ShapesRequest) => void answer(request));

async function answer(request: ShapesRequest): Promise<void> {
  const { id } = request;
  try {
    send({ id, recordCount: await sendShapes(request) });
  } catch (error) {
    send({ id, error, isInputError: error instanceof InputError });
  }
}

/** Gives how many records the file has. */
async function sendShapes({ id, place, wanted }: ShapesRequest): Promise<number> {
  const file = (await openOnDisk(place.disk))[place.member];
  if (!file) throw new InputError(`${place.disk.label}: cannot be read: it has changed`);
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
