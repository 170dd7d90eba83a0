import { type GatedThread, startThreadBehindGate } from '../platform/native-gate.js';
import { type PackedShapes, unpackShapes } from './files/packed-shapes.js';
import { readShp, type ShpRecord } from './files/shp.js';
import { type FilePlace, InputError, type InputFile } from './input.js';

/** Reads the wanted records (from 0) of a .shp file and gives how many it has, as {@link readShp} does. */
export type ReadShapes = (file: InputFile, wanted: ReadonlySet<number>, onRecord: TakeShape) => Promise<number>;

type TakeShape = (record: number, shape: ShpRecord) => void;

/** Reads .shp files until it is closed. */
export interface ShapeReader {
  readonly read: ReadShapes;
  /** Ends what is being read. */
  close(): Promise<void>;
}

export type OpenShapeReader = () => ShapeReader;

/** What the thread is asked for. */
export interface ShapesRequest {
  readonly id: number;
  readonly place: FilePlace;
  readonly wanted: ReadonlySet<number>;
}

/** What the thread answers: any number of shapes, then an end. */
export type ShapesReply = { readonly id: number } & (
  | { readonly shapes: PackedShapes }
  /** How many records the file has. */
  | { readonly recordCount: number }
  /** Errors lose their class between threads. */
  | { readonly error: unknown; readonly isInputError: boolean }
);

/** A file that the thread reads. */
interface Reading {
  readonly onRecord: TakeShape;
  readonly resolve: (recordCount: number) => void;
  readonly reject: (error: unknown) => void;
}

const readHere: ReadShapes = (file, wanted, onRecord) => readShp(file, (record) => wanted.has(record), onRecord);

/** Reads in this thread. */
export const openShapeReaderHere: OpenShapeReader = () => ({ read: readHere, close: async () => {} });

/** Reads in a thread of its own, so that this one can go on with tables. The thread is started for the first file. */
export const openShapeReaderInThread: OpenShapeReader = () => {
  const readings = new Map<number, Reading>();
  let started: GatedThread | undefined;
  let lastId = 0;
  return {
    read: async (file, wanted, onRecord) => {
      const { place } = file;
      // What is made up in memory cannot be opened from elsewhere.
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
  thread.on('exit', () => failAll(new Error('the thread that reads outlines ended before its time')));
  return started;
}

function takeReply(reply: ShapesReply, { onRecord, resolve, reject }: Reading): void {
  if ('recordCount' in reply) resolve(reply.recordCount);
  else if ('error' in reply) {
    const text = reply.error instanceof Error ? reply.error.message : String(reply.error);
    reject(reply.isInputError ? new InputError(text) : reply.error);
  } else {
    try {
      unpackShapes(reply.shapes, onRecord);
    } catch (error) {
      reject(error);
    }
  }
}
