import { messageOf } from '../../core/message-of.js';
import { type GatedThread, startThreadBehindGate } from '../../platform/native-gate.js';
import { type PackedShapes, unpackShapes } from '../files/packed-shapes.js';
import { readShp, type ShpRecord } from '../files/shp.js';
import { type FilePlace, InputError, type InputFile } from '../input.js';

/** Reads the wanted records (numbered from 0) of a .shp file and resolves with its record count, like {@link readShp}. */
export type ReadShapes = (file: InputFile, wanted: ReadonlySet<number>, onRecord: TakeShape) => Promise<number>;

type TakeShape = (record: number, shape: ShpRecord) => void;

/** Reads .shp files, until closed. */
export interface ShapeReader {
  readonly read: ReadShapes;
  /** Aborts reads in progress. */
  close(): Promise<void>;
}

export type OpenShapeReader = () => ShapeReader;

/** A request to the worker thread. */
export interface ShapesRequest {
  readonly id: number;
  readonly place: FilePlace;
  readonly wanted: ReadonlySet<number>;
}

/** The worker thread's replies to a request: any number of batches of shapes, then a record count or an error. */
export type ShapesReply = { readonly id: number } & (
  | { readonly shapes: PackedShapes }
  /** The number of records in the file. */
  | { readonly recordCount: number }
  /** An error loses its class when it is sent between threads. */
  | { readonly error: unknown; readonly isInputError: boolean }
);

/** A request that the worker thread is processing. */
interface Reading {
  readonly onRecord: TakeShape;
  readonly resolve: (recordCount: number) => void;
  readonly reject: (error: unknown) => void;
}

const readHere: ReadShapes = (file, wanted, onRecord) => readShp(file, (record) => wanted.has(record), onRecord);

/** Reads in this thread. */
export const openShapeReaderHere: OpenShapeReader = () => ({ read: readHere, close: async () => {} });

/** Reads in a worker thread, started for the first file, so that this thread can go on with tables. */
export const openShapeReaderInThread: OpenShapeReader = () => {
  const readings = new Map<number, Reading>();
  let started: GatedThread | undefined;
  let lastId = 0;
  return {
    read: async (file, wanted, onRecord) => {
      const { place } = file;
      // A file that exists only in memory cannot be opened by another thread.
      if (!place) return readHere(file, wanted, onRecord);
      started ??= startThread(readings);
      const { thread } = started;
      const id = ++lastId;
      const request: ShapesRequest = { id, place, wanted };
      return new Promise<number>((resolve, reject) => {
        readings.set(id, { onRecord, resolve, reject });
        thread.postMessage(request);
      });
    },
    close: async () => {
      await started?.end();
    },
  };
};

function startThread(readings: ReadonlyMap<number, Reading>): GatedThread {
  const started = startThreadBehindGate(new URL('./shapes-thread.js', import.meta.url), {});
  const { thread } = started;
  const failAll = (error: unknown): void => {
    for (const { reject } of readings.values()) reject(error);
  };
  thread.on('message', (reply: ShapesReply) => {
    const reading = readings.get(reply.id);
    if (reading) takeReply(reply, reading);
  });
  thread.on('error', failAll);
  thread.on('exit', () => failAll(new Error('the thread that reads outlines ended unexpectedly')));
  return started;
}

function takeReply(reply: ShapesReply, { onRecord, resolve, reject }: Reading): void {
  if ('recordCount' in reply) resolve(reply.recordCount);
  else if ('error' in reply) {
    const text = messageOf(reply.error);
    reject(reply.isInputError ? new InputError(text) : reply.error);
  } else {
    try {
      unpackShapes(reply.shapes, onRecord);
    } catch (error) {
      reject(error);
    }
  }
}
