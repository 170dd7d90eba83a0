import KDBush from 'kdbush';

/** A KD-tree over (lng, lat) of some of a table's rows. */
export interface PointTree {
  readonly index: KDBush;
  /** The rows that its ids are positions of; without it, ids are rows. */
  readonly rows?: Uint32Array;
  /** Whether the rows' records lie in the order of the tree, too. */
  readonly ordersRecords?: boolean;
}

/** A KD-tree over (lng, lat); its ids are positions in the columns. */
export function buildPointIndex(lngs: Float64Array, lats: Float64Array): Uint8Array {
  const index = new KDBush(lats.length);
  lats.forEach((lat, row) => {
    index.add(lngs[row] ?? Number.NaN, lat);
  });
  index.finish();
  return new Uint8Array(index.data);
}

/** Opens a KD-tree in place: KDBush takes a buffer that holds nothing else. */
export const openPointIndex = (buffer: ArrayBufferLike): KDBush => KDBush.from(buffer);
