import type { Recognition, TextProbe } from '../model.js';

/** A text source: says whether a file is its own, by official name or by header, and how to read it. */
export type TextSource = (probe: TextProbe) => Recognition | undefined;
