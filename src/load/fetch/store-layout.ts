import { join } from 'node:path';

/**
 * The hidden folder, below the output directory, for partial downloads and records. `compile` ignores hidden folders, so
 * it never takes a partial file for a complete one.
 */
const HIDDEN = '.fetch';

/** The paths below an output directory; `path` is a file's path relative to it. */
export interface StoreLayout {
  readonly outputDir: string;
  readonly lock: string;
  readonly recordsDir: string;
  readonly partsDir: string;
  /** The complete file. */
  file(path: string): string;
  /** The partial download. */
  part(path: string): string;
  /** The note on the partial download: what it is a part of, and how much of it is durable. */
  partNote(path: string): string;
  /** The record of a file that is complete but not yet in place. */
  pendingRecord(path: string): string;
  record(path: string): string;
}

export function storeLayout(outputDir: string): StoreLayout {
  const hidden = (...segments: string[]): string => join(outputDir, HIDDEN, ...segments);
  return {
    outputDir,
    lock: hidden('lock'),
    recordsDir: hidden('records'),
    partsDir: hidden('parts'),
    file: (path) => join(outputDir, path),
    part: (path) => hidden('parts', path),
    partNote: (path) => hidden('parts', `${path}.note.json`),
    pendingRecord: (path) => hidden('parts', `${path}.record.json`),
    record: (path) => hidden('records', `${path}.json`),
  };
}
