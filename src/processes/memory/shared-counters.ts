import type { Counters } from '../../tallies/counters.js';

/** Room for every counter there can be: each route, with each method and status that it can have. */
export const COUNTERS_BYTES = 512 * 1024;
/** A region begins with the bytes that are in use, in a word of its own; eight bytes keep what follows aligned. */
const HEADER_BYTES = 8;
/** A record begins with the length of its name in bytes and the number of its values. */
const RECORD_HEADER_BYTES = 8;
const VALUE_BYTES = Float64Array.BYTES_PER_ELEMENT;

export interface SharedCountersOptions {
  /** A region of {@link COUNTERS_BYTES} for each process, zeros at first. */
  readonly regions: readonly SharedRegion[];
  /** The region of this process. What it counts goes on from what the process before it has counted. */
  readonly own: SharedRegion;
  readonly ageMs: () => number;
}

/** Where in the shared memory. */
export interface SharedRegion {
  readonly buffer: ArrayBuffer;
  readonly byteOffset: number;
}

interface CounterRecord {
  readonly name: string;
  readonly values: Float64Array;
}

/**
 * Counters in memory that processes share. Each process writes to its own region and all read all of them, as the clients of
 * Prometheus for languages with many processes do: the sums are right whoever is asked, and nothing that was counted is lost
 * with a process, however it ends.
 */
export function createSharedCounters({ regions, own, ageMs }: SharedCountersOptions): Counters {
  const named = new Map(readRecords(own).map(({ name, values }) => [name, values]));
  return {
    shared: true,
    ageMs,
    own: (name, length) => {
      let values = named.get(name);
      if (!values) {
        values = append(own, name, length);
        named.set(name, values);
      }
      return values;
    },
    sums: () => {
      const sums = new Map<string, Float64Array>();
      for (const { name, values } of regions.flatMap(readRecords)) {
        const sum = sums.get(name);
        if (!sum) sums.set(name, values.slice());
        else for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (values[at] ?? 0);
      }
      return sums;
    },
  };
}

/** Throws `RangeError` where a region is full: its room is reckoned so that it never is. */
function append({ buffer, byteOffset }: SharedRegion, name: string, length: number): Float64Array {
  const used = usedWord({ buffer, byteOffset });
  const record = byteOffset + HEADER_BYTES + Atomics.load(used, 0);
  const nameBytes = Buffer.from(name);
  const valuesAt = aligned(record + RECORD_HEADER_BYTES + nameBytes.byteLength);
  const end = valuesAt + length * VALUE_BYTES;
  if (end > byteOffset + COUNTERS_BYTES) throw new RangeError('there is no room for another counter');
  new Int32Array(buffer, record, 2).set([nameBytes.byteLength, length]);
  new Uint8Array(buffer, record + RECORD_HEADER_BYTES).set(nameBytes);
  const values = new Float64Array(buffer, valuesAt, length);
  // A process that was killed right here may have left something.
  values.fill(0);
  // From here on it is there for the others.
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
