import { join } from 'node:path';

/**
 * Where things lie below the output directory. What is not whole, and what is known of what is, lies in a hidden folder:
 * `compile` looks into none, so that nothing half-written is ever taken for whole.
 */
const HIDDEN = '.fetch';

/** Paths by a file's place below the output directory. */
export interface StoreLayout {
  readonly outputDir: string;
  readonly lock: string;
  readonly recordsDir: string;
  /** The whole file. */
  file(path: string): string;
  /** What there is of it while it comes. */
  part(path: string): string;
  /** What the part is a part of, and how much of it is safe on disk. */
  partNote(path: string): string;
  /** The record of a file that is whole but not yet in its place. */
  pendingRecord(path: string): string;
  record(path: string): string;
}

export function storeLayout(outputDir: string): StoreLayout {
  const hidden = (...segments: string[]): string => join(outputDir, HIDDEN, ...segments);
  return {
    outputDir,
    lock: hidden('lock'),
    recordsDir: hidden('records'),
    file: (path) => join(outputDir, path),
    part: (path) => hidden('parts', path),
    partNote: (path) => hidden('parts', `${path}.note.json`),
    pendingRecord: (path) => hidden('parts', `${path}.record.json`),
    record: (path) => hidden('records', `${path}.json`),
  };
}
