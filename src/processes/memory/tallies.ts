import { createTurns, type Turns } from '../../outbound/turns.js';
import type { Counters } from '../../tallies/counters.js';
import type { HitStore } from '../../tallies/hit-store.js';
import { COUNTERS_BYTES, createSharedCounters } from './shared-counters.js';
import { createSharedFile, extendSharedFile, mapSharedFile } from './shared-file.js';
import { createSharedHits, HITS_INITIAL_BYTES, HITS_MOST_BYTES } from './shared-hits.js';

/**
 * The file begins with a page that holds the time at which it was made and the time from which Nominatim may be asked next;
 * the rest of the page is unused.
 */
const HEADER_BYTES = 4096;
const NOMINATIM_AT = 8;

/** The descriptor under which the processes inherit the file: the first after the standard streams and the IPC channel. */
export const TALLIES_FD = 4;

/** The memory in which the processes count, as the primary has it. */
export interface PrimaryTallies {
  /** For the processes to inherit. */
  readonly fd: number;
  /** What the primary itself counts, which is among the sums that every process sees. */
  readonly counters: Counters;
}

/** Creates the empty memory in which this many processes count, and the primary. Throws if there is no room for it. */
export function createTallies(processes: number): PrimaryTallies {
  const fd = createSharedFile(hitsAt(processes) + HITS_INITIAL_BYTES);
  const buffer = mapSharedFile(fd, hitsAt(processes));
  new Float64Array(buffer)[0] = monotonicMs();
  return { fd, counters: countersIn(buffer, processes, processes) };
}

export interface TalliesOptions {
  readonly fd: number;
  /** The number of processes that the file was made for. */
  readonly processes: number;
  /** The number of this process, from 0. No two running processes have the same. */
  readonly index: number;
  readonly windowSeconds: number;
  /** See `createSharedHits`. */
  readonly onNoRoom?: (error: unknown) => void;
}

/** The shared memory, as opened by one of the processes. */
interface OpenTallies {
  readonly hits: HitStore;
  readonly counters: Counters;
  readonly nominatimTurns: Turns;
}

/** Opens the memory that holds what the processes count together, and whose turn it is with Nominatim. */
export function openTallies(options: TalliesOptions): OpenTallies {
  const { fd, processes, index, windowSeconds, onNoRoom } = options;
  const hitsOffset = hitsAt(processes);
  const buffer = mapSharedFile(fd, hitsOffset + HITS_MOST_BYTES);
  return {
    counters: countersIn(buffer, processes, index),
    hits: createSharedHits({
      words: new Int32Array(buffer, hitsOffset),
      extend: (fromByte, toByte) => extendSharedFile(fd, hitsOffset + fromByte, hitsOffset + toByte),
      onNoRoom,
      windowSeconds,
      now: monotonicMs,
    }),
    nominatimTurns: createTurns({ nextAt: new BigInt64Array(buffer, NOMINATIM_AT, 1), now: monotonicMs }),
  };
}

/** The counters of one of the processes; the primary's are behind those of the others. */
function countersIn(buffer: ArrayBuffer, processes: number, index: number): Counters {
  const [madeAtMs = 0] = new Float64Array(buffer, 0, 1);
  return createSharedCounters({
    regions: Array.from({ length: processes + 1 }, (_, of) => ({
      buffer,
      byteOffset: HEADER_BYTES + of * COUNTERS_BYTES,
    })),
    process: index,
    ageMs: () => monotonicMs() - madeAtMs,
  });
}

/** Where the rate limits' part of the file begins. */
export const hitsAt = (processes: number): number => HEADER_BYTES + (processes + 1) * COUNTERS_BYTES;

/** A clock that all processes share, unlike `performance.now`, and that nobody can set, unlike `Date.now`. */
function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
