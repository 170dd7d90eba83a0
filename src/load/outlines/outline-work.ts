import { type BeginOutlines, writeOutlinesHere, writeOutlinesInThread } from './outlines-writing.js';
import { type OpenShapeReader, openShapeReaderHere, openShapeReaderInThread } from './shape-reader.js';

/** Which threads do the heavy work on outlines. The result is the same either way. */
export interface OutlineWork {
  readonly openReader: OpenShapeReader;
  readonly beginWriting: BeginOutlines;
}

/** Does the work in the calling thread. */
export const WORK_HERE: OutlineWork = { openReader: openShapeReaderHere, beginWriting: writeOutlinesHere };

/** Reads and writes outlines in worker threads: a second core does it while the first reads tables and writes tracts. */
export const WORK_IN_THREADS: OutlineWork = {
  openReader: openShapeReaderInThread,
  beginWriting: writeOutlinesInThread,
};
