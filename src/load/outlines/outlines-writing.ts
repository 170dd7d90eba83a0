import type { SectionEntry } from '../../format/container-header.js';
import type { Rings } from '../../format/outline-index.js';
import { writeOutlinesFile } from '../../format/outlines-file.js';
import { startThreadBehindGate } from '../../platform/native-gate.js';

/** The outlines file while it is being written. */
export interface OutlinesWriting {
  /** The sections that were written. Rejects with file-system errors. */
  readonly sections: Promise<readonly SectionEntry[]>;
  /** Aborts the writing if it is still going on; nothing is written afterwards. */
  stop(): Promise<void>;
}

/** Starts writing the outlines file from the rings of each row. The caller must not use the rings any more. */
export type BeginOutlines = (path: string, outlines: readonly Rings[]) => OutlinesWriting;

/** The worker thread's data. */
export interface OutlinesJob {
  readonly path: string;
  readonly outlines: readonly Rings[];
}

/** Writes the file synchronously, in this thread. */
export const writeOutlinesHere: BeginOutlines = (path, outlines) => {
  const write = async (): Promise<SectionEntry[]> => writeOutlinesFile(path, outlines);
  return handled({ sections: write(), stop: async () => {} });
};

/** Writes the file in a worker thread, while this one goes on with the tracts. */
export const writeOutlinesInThread: BeginOutlines = (path, outlines) => {
  const job: OutlinesJob = { path, outlines };
  // Many rings share a buffer.
  const buffers = new Set(outlines.flatMap((rings) => rings.map(({ buffer }) => buffer)));
  const { thread, end } = startThreadBehindGate(new URL('./outlines-thread.js', import.meta.url), job, {
    transferList: [...buffers].filter((buffer) => buffer instanceof ArrayBuffer),
  });
  const sections = new Promise<readonly SectionEntry[]>((resolve, reject) => {
    thread.once('message', resolve);
    // A file-system error keeps its code and message when it crosses threads.
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('the thread that writes the outlines ended unexpectedly')));
  });
  return handled({ sections, stop: end });
};

/** If other work fails first, nobody awaits the sections any more: their rejection must not count as unhandled then. */
function handled(writing: OutlinesWriting): OutlinesWriting {
  writing.sections.catch(() => {});
  return writing;
}
