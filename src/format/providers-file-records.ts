import { ascendingPlaces } from '../core/radix-order.js';
import type { ContainerReader } from './container-reader.js';
import { numbers, opaque, type SectionContent } from './container-writer.js';
import { copyText, requireCopyable, type TextTarget, viewOf } from './copy-text.js';

/** Records per section, so that no section comes near 2 GiB, the limit of {@link copyText}. */
const SHARD_RECORDS = 2 ** 20;
const SHARD_SHIFT = 20;

/** The parts of a provider's finished JSON. */
export interface ProviderRecord {
  /** GeoJSON coordinates without brackets: `-93.26,44.97`. */
  readonly coordinates: string;
  /** The properties of SPEC 2.13 as JSON members, without the braces around them. */
  readonly properties: string;
  /** The further members that the answer of a search has, likewise without braces. */
  readonly details: string;
}

const FEATURE_HEAD = '{"type":"Feature","geometry":{"type":"Point","coordinates":[';
const FEATURE_MIDDLE = ']},"properties":{';
/** Includes the comma before the next feature, so that a list takes one copy per feature. */
const FEATURE_END = '}},';

/** The section that tells in which order the records are stored. */
const TREE_ORDER = 'record-order';

const CHUNK_BYTES = 2 ** 20;

/**
 * The sections of all records, generated while they are written, so that only a piece of them is in memory. `order` has the
 * row of each record, in the order of the KD-tree of all providers, which stores neighbours on the map side by side.
 */
export function recordSections(
  order: Uint32Array | Uint16Array,
  recordOf: (row: number) => ProviderRecord,
): SectionContent[] {
  const count = order.length;
  const parts = { propertiesAt: new Uint8Array(count), propertiesEnd: new Uint16Array(count) };
  const positions = new Uint32Array(count);
  order.forEach((row, position) => {
    positions[row] = position;
  });
  const shards = Array.from({ length: shardCount(count) }, (_, shard) => {
    const first = shard * SHARD_RECORDS;
    const starts = new Uint32Array(Math.min(SHARD_RECORDS, count - first) + 1);
    const bytes = writeShard({ ...parts, first, starts }, (position) => recordOf(order[position] ?? 0));
    // The starts come after the bytes, since writing the bytes fills them in.
    return [opaque(`record/${shard}/bytes`, bytes), numbers(`record/${shard}/start`, starts)];
  });
  return [
    ...shards.flat(),
    numbers('record-part/properties', parts.propertiesAt),
    numbers('record-part/properties-end', parts.propertiesEnd),
    numbers('record-position', positions),
    numbers(TREE_ORDER, Uint8Array.of(1)),
  ];
}

const shardCount = (count: number): number => Math.ceil(count / SHARD_RECORDS);

interface Shard {
  /** The position of its first record. */
  readonly first: number;
  readonly starts: Uint32Array;
  readonly propertiesAt: Uint8Array;
  readonly propertiesEnd: Uint16Array;
}

/** Yields a shard's records in large pieces, and fills in where the records and their parts begin. */
function* writeShard(shard: Shard, recordAt: (position: number) => ProviderRecord): Generator<Uint8Array> {
  const { first, starts } = shard;
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let used = 0;
  for (let index = 0; index + 1 < starts.length; index++) {
    const record = recordAt(first + index);
    const mostBytes = mostBytesOf(record);
    if (used + mostBytes > chunk.byteLength) {
      yield chunk.subarray(0, used);
      chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, mostBytes));
      used = 0;
    }
    const written = writeRecord(chunk, used, record, shard, first + index);
    used += written;
    const end = (starts[index] ?? 0) + written;
    requireCopyable(`the records of ${index + 1} providers`, end);
    starts[index + 1] = end;
  }
  yield chunk.subarray(0, used);
}

/** An upper bound: UTF-8 takes at most three bytes per UTF-16 code unit. */
function mostBytesOf({ coordinates, properties, details }: ProviderRecord): number {
  const units = FEATURE_HEAD.length + coordinates.length + FEATURE_MIDDLE.length + properties.length + details.length;
  return 3 * (units + FEATURE_END.length + 1);
}

/** Writes the feature followed by a comma, then the details preceded by one. Returns the length of both. */
function writeRecord(
  chunk: Buffer,
  start: number,
  { coordinates, properties, details }: ProviderRecord,
  { propertiesAt, propertiesEnd }: Shard,
  position: number,
): number {
  let end = start + chunk.write(`${FEATURE_HEAD}${coordinates}${FEATURE_MIDDLE}`, start, 'latin1');
  propertiesAt[position] = fitting(end - start, 0xff);
  end += chunk.write(properties, end, 'utf8');
  propertiesEnd[position] = fitting(end - start, 0xffff);
  end += chunk.write(`${FEATURE_END},${details}`, end, 'utf8');
  return end - start;
}

function fitting(value: number, greatest: number): number {
  if (value > greatest) throw new RangeError(`a part of a provider's record is ${value} long; ${greatest} is the most`);
  return value;
}

/**
 * Rows whose features are wanted. The features are copied in the order of the records, regardless of their order in the
 * answer: most of the time is spent reading, and the processor prefetches sequential reads.
 */
export interface WantedFeatures {
  readonly rows: Uint32Array;
  /** The position of each row's feature in the answer: a permutation of the numbers from 0. */
  readonly places: Uint32Array;
  /** The positions of the rows' records, mostly ascending, if known. */
  readonly records?: Uint32Array | undefined;
}

/** Reads the records in place. */
export interface ProviderRecords {
  /** The GeoJSON features of some rows. */
  features(wanted: WantedFeatures): ProviderFeatures;
  /** The members of a row's entry in a list, without braces and distance: the properties, then the details. */
  entry(row: number): readonly [properties: Uint8Array, details: Uint8Array];
}

/** Consecutive features, each followed by a comma. */
export interface ProviderFeatures {
  readonly sizeBytes: number;
  /**
   * Copies all features into the target, `offset` bytes after its start. Throws RangeError if there is not enough room.
   */
  copyTo(target: TextTarget, offset: number): void;
}

/** Whether the records are stored in the order of the KD-tree of all providers. Files of older programs lack the section. */
export function lieInTreeOrder(container: ContainerReader): boolean {
  return container.sections.some(({ name }) => name === TREE_ORDER) && container.uint8(TREE_ORDER, 1)[0] === 1;
}

/** Opens the sections that {@link recordSections} made. */
export function openProviderRecords(container: ContainerReader, count: number): ProviderRecords {
  const propertiesAt = container.uint8('record-part/properties', count);
  const propertiesEnd = container.uint16('record-part/properties-end', count);
  const positions = container.uint32('record-position', count);
  const shards = Array.from({ length: shardCount(count) }, (_, shard) => {
    const bytes = container.bytes(`record/${shard}/bytes`);
    const records = Math.min(SHARD_RECORDS, count - shard * SHARD_RECORDS);
    return { bytes, view: viewOf(bytes), starts: container.uint32(`record/${shard}/start`, records + 1) };
  });
  const shardOf = (position: number): (typeof shards)[number] => {
    const shard = shards[position >>> SHARD_SHIFT];
    if (!shard) throw new RangeError(`there is no record ${position}`);
    return shard;
  };
  return {
    features: (wanted) => {
      const { places, records } = wanted.records
        ? { ...wanted, records: wanted.records }
        : sortByRecord(wanted, positions);
      const starts = featureStarts(places, records, propertiesEnd);
      return {
        sizeBytes: starts[records.length] ?? 0,
        copyTo: (target, offset) => {
          for (let at = 0; at < records.length; at++) {
            const position = records[at] ?? count;
            const shard = shardOf(position);
            const place = places[at] ?? 0;
            const start = starts[place] ?? 0;
            const length = (starts[place + 1] ?? 0) - start;
            const to = target.start + offset + start;
            copyText(shard.view, shard.starts[position & (SHARD_RECORDS - 1)] ?? 0, target, to, length);
          }
        },
      };
    },
    entry: (row) => {
      const position = positions[row] ?? count;
      const { bytes, starts } = shardOf(position);
      const index = position & (SHARD_RECORDS - 1);
      const start = starts[index] ?? 0;
      const end = start + (propertiesEnd[position] ?? 0);
      return [
        bytes.subarray(start + (propertiesAt[position] ?? 0), end),
        bytes.subarray(end + FEATURE_END.length, starts[index + 1]),
      ];
    },
  };
}

/** Looks up the rows' records and sorts both by the records' positions. */
function sortByRecord(
  { rows, places }: WantedFeatures,
  positions: Uint32Array,
): { places: Uint32Array; records: Uint32Array } {
  const count = positions.length;
  const found = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at++) found[at] = positions[rows[at] ?? count] ?? count;
  const sorted = ascendingPlaces(found, count);
  const ordered = { places: new Uint32Array(rows.length), records: new Uint32Array(rows.length) };
  for (let at = 0; at < rows.length; at++) {
    const to = sorted[at] ?? 0;
    ordered.records[to] = found[at] ?? count;
    ordered.places[to] = places[at] ?? 0;
  }
  return ordered;
}

/** By place, where each feature begins in the answer; one more entry for the end. */
function featureStarts(places: Uint32Array, records: Uint32Array, propertiesEnd: Uint16Array): Uint32Array {
  const starts = new Uint32Array(records.length + 1);
  for (let at = 0; at < records.length; at++) {
    const record = records[at] ?? propertiesEnd.length;
    starts[(places[at] ?? 0) + 1] = (propertiesEnd[record] ?? 0) + FEATURE_END.length;
  }
  for (let place = 0; place < records.length; place++) {
    starts[place + 1] = (starts[place + 1] ?? 0) + (starts[place] ?? 0);
  }
  return starts;
}
