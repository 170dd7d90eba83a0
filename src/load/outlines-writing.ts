import type { SectionEntry } from '../format/container-header.js';
import type { Rings } from '../format/outline-index.js';
import { writeOutlinesFile } from '../format/outlines-file.js';
import { startThreadBehindGate } from '../platform/native-gate.js';

/** The outlines' file while it is written. */
export interface OutlinesWriting {
  /** What was written. Rejects with what the file system throws. */
  readonly sections: Promise<readonly SectionEntry[]>;
  /** Ends it where it has not come to its end: nothing is written afterwards. */
  stop(): Promise<void>;
}

/** Begins to write the outlines' file from the rings of each row. They must not be touched any more. */
export type BeginOutlines = (path: string, outlines: readonly Rings[]) => OutlinesWriting;

/** What the thread is given. */
export interface OutlinesJob {
  readonly path: string;
  readonly outlines: readonly Rings[];
}

/** Writes the file at once, in this thread. */
export const writeOutlinesHere: BeginOutlines = (path, outlines) => {
  const write = async (): Promise<SectionEntry[]> => writeOutlinesFile(path, outlines);
  return handled({ sections: write(), stop: async () => {} });
};

/** Writes the file in a thread of its own, while this one goes on with the tracts. */
export const writeOutlinesInThread: BeginOutlines = (path, outlines) => {
  const job: OutlinesJob = { path, outlines };
  // Many rings lie in one buffer.
  const buffers = new Set(outlines.flatMap((rings) => rings.map(({ buffer }) => buffer)));
  const { thread, end } = startThreadBehindGate(new URL('./outlines-thread.js', import.meta.url), job, {
    transferList: [...buffers].filter((buffer) => buffer instanceof ArrayBuffer),
  });
  const sections = new Promise<readonly SectionEntry[]>((resolve, reject) => {
    thread.once('message', resolve);
    // An error of the file system keeps its code and its message on the way here.
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('the thread that writes the outlines ended before its time')));
  });
  return handled({ sections, stop: end });
};

/** Where the work beside it fails first, nobody waits for the sections any more, and that they fail, too, is no news. */
function handled(writing: OutlinesWriting): OutlinesWriting {
  writing.sections.catch(() => {});
  return writing;
}
