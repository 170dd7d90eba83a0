import { obtain } from '../core/obtain.js';

/** Named arrays of counters. A process writes only its own arrays; readers see the sums over all processes. */
export interface Counters {
  /**
   * The number of this process if others count, too: then it must publish its own numbers promptly. Undefined if it is the
   * only one.
   */
  readonly process: number | undefined;
  /** Milliseconds since the counting began. */
  ageMs(): number;
  /**
   * This process's array for a name, the same one on every call. It starts at zero, or with the counts of the process that
   * this one replaces.
   */
  own(name: string, length: number): Float64Array;
  /** With a prefix, only the counters whose names begin with it need be among them: less work if others count, too. */
  sums(prefix?: string): Sums;
}

/** The sums over all processes, by name. */
export type Sums = ReadonlyMap<string, Float64Array>;

/** The counters of a service that runs as a single process. */
export function createCounters(): Counters {
  const startedAtMs = performance.now();
  const named = new Map<string, Float64Array>();
  return {
    process: undefined,
    ageMs: () => performance.now() - startedAtMs,
    own: (name, length) => obtain(named, name, () => new Float64Array(length)),
    sums: () => named,
  };
}
