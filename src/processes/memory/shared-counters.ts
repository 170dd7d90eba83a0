import { obtain } from '../../core/obtain.js';
import type { Counters } from '../../tallies/counters.js';

/** Bytes per process, enough for every possible counter: each route with each method and status that it can have. */
export const COUNTERS_BYTES = 512 * 1024;
/** A region begins with one word, the number of bytes in use after this header; 8 bytes keep the records aligned. */
const HEADER_BYTES = 8;
/** A record begins with the length of its name in bytes and the number of its values. */
const RECORD_HEADER_BYTES = 8;
const VALUE_BYTES = Float64Array.BYTES_PER_ELEMENT;

export interface SharedCountersOptions {
  /** One region of {@link COUNTERS_BYTES} for each process and the primary, initially zeros. */
  readonly regions: readonly SharedRegion[];
  /** The number of this process, whose region has the counts of the process that had the slot before. */
  readonly process: number;
  readonly ageMs: () => number;
}

/** A region's position in the shared memory. */
export interface SharedRegion {
  readonly buffer: ArrayBuffer;
  readonly byteOffset: number;
}

interface CounterRecord {
  readonly name: string;
  readonly values: Float64Array;
}

/**
 * Counters in memory that the processes share. Each process writes to its own region and reads all of them, as Prometheus
 * client libraries do for multi-process languages: the sums are right whichever process is asked, and no count is lost with
 * a process, however it ends.
 */
export function createSharedCounters({ regions, process, ageMs }: SharedCountersOptions): Counters {
  const own = regions[process];
  if (!own) throw new RangeError(`there is no region for process ${process}`);
  const named = new Map(readRecords(own).map(({ name, values }) => [name, values]));
  return {
    process,
    ageMs,
    own: (name, length) => obtain(named, name, () => append(own, name, length)),
    sums: (prefix = '') => {
      const sums = new Map<string, Float64Array>();
      for (const { name, values } of regions.flatMap(readRecords)) {
        if (!name.startsWith(prefix)) continue;
        const sum = sums.get(name);
        if (!sum) sums.set(name, values.slice());
        else for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (values[at] ?? 0);
      }
      return sums;
    },
  };
}

/** Adds a record. Throws `RangeError` if the region is full, which its size is meant to rule out. */
function append({ buffer, byteOffset }: SharedRegion, name: string, length: number): Float64Array {
  const used = usedWord({ buffer, byteOffset });
  const record = byteOffset + HEADER_BYTES + Atomics.load(used, 0);
  const nameBytes = Buffer.from(name);
  const valuesAt = aligned(record + RECORD_HEADER_BYTES + nameBytes.byteLength);
  const end = valuesAt + length * VALUE_BYTES;
  if (end > byteOffset + COUNTERS_BYTES) throw new RangeError(`there is no room for the counter ${name}`);
  new Int32Array(buffer, record, 2).set([nameBytes.byteLength, length]);
  new Uint8Array(buffer, record + RECORD_HEADER_BYTES).set(nameBytes);
  const values = new Float64Array(buffer, valuesAt, length);
  // A process that was killed at this point may have left other bytes.
  values.fill(0);
  // From here on, the record is visible to the other processes.
  Atomics.store(used, 0, end - byteOffset - HEADER_BYTES);
  return values;
}

function readRecords(region: SharedRegion): CounterRecord[] {
  const { buffer, byteOffset } = region;
  const records: CounterRecord[] = [];
  const begin = byteOffset + HEADER_BYTES;
  const end = begin + Atomics.load(usedWord(region), 0);
  for (let at = begin; at < end; ) {
    const [nameLength = 0, length = 0] = new Int32Array(buffer, at, 2);
    const nameAt = at + RECORD_HEADER_BYTES;
    const valuesAt = aligned(nameAt + nameLength);
    const name = Buffer.from(buffer, nameAt, nameLength).toString();
    records.push({ name, values: new Float64Array(buffer, valuesAt, length) });
    at = valuesAt + length * VALUE_BYTES;
  }
  return records;
}

const usedWord = ({ buffer, byteOffset }: SharedRegion): Int32Array => new Int32Array(buffer, byteOffset, 1);

const aligned = (offset: number): number => Math.ceil(offset / VALUE_BYTES) * VALUE_BYTES;
