import { type BeginOutlines, writeOutlinesHere, writeOutlinesInThread } from './outlines-writing.js';
import { type OpenShapeReader, openShapeReaderHere, openShapeReaderInThread } from './shape-reader.js';

/** Where the heavy work on outlines is done. What comes of it is the same. */
export interface OutlineWork {
  readonly openReader: OpenShapeReader;
  readonly beginWriting: BeginOutlines;
}

/** In the thread that asks for it. */
export const WORK_HERE: OutlineWork = { openReader: openShapeReaderHere, beginWriting: writeOutlinesHere };

/** Each in a thread of its own: a second core does it, while the first one reads tables and writes what they say. */
export const WORK_IN_THREADS: OutlineWork = {
  openReader: openShapeReaderInThread,
  beginWriting: writeOutlinesInThread,
};
