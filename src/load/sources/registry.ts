import type { Recognition, TextProbe } from '../model.js';

/** A text source: recognizes its files by official name or by header, and says how to read them. */
export type TextSource = (probe: TextProbe) => Recognition | undefined;
