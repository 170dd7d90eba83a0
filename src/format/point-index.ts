import KDBush from 'kdbush';
import { messageOf } from '../core/message-of.js';
import type { ContainerReader } from './container-reader.js';
import { FormatError } from './format-error.js';

/** A KD-tree over the (lng, lat) of some rows of a table. */
export interface PointTree {
  readonly index: KDBush;
  /** The row of each id; if undefined, ids are rows. */
  readonly rows?: Uint32Array;
  /** Whether the rows' records are stored in the order of the tree. */
  readonly ordersRecords?: boolean;
}

/** Builds a KD-tree over (lng, lat); its ids are positions in the columns. */
export function buildPointIndex(lngs: Float64Array, lats: Float64Array): Uint8Array {
  const index = new KDBush(lats.length);
  lats.forEach((lat, row) => {
    index.add(lngs[row] ?? Number.NaN, lat);
  });
  index.finish();
  return new Uint8Array(index.data);
}

/** Opens a KD-tree in place. KDBush needs a buffer that holds nothing else. */
export const openPointIndex = (buffer: ArrayBufferLike): KDBush => KDBush.from(buffer);

/** Opens the KD-tree in a section of an opened file. Throws FormatError if it is not a KD-tree over `count` points. */
export function readPointIndex(container: ContainerReader, section: string, count: number): KDBush {
  const damaged = (detail: string): FormatError => new FormatError('bad-index', container.label, detail, section);
  let index: KDBush;
  try {
    index = openPointIndex(container.buffer(section));
  } catch (error) {
    if (error instanceof FormatError) throw error;
    throw damaged(`is no KD-tree: ${messageOf(error)}`);
  }
  // A search would leave out the points that the tree lacks, or find rows that are not there.
  if (index.numItems !== count) throw damaged(`is a KD-tree over ${index.numItems} points, not ${count}`);
  return index;
}
