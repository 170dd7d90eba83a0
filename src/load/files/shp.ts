import { quantize } from '../../core/coordinates.js';
import { InputError, type InputFile } from '../model.js';
import { createChunkReader } from './chunk-reader.js';

const HEADER_BYTES = 100;
const RECORD_HEADER_BYTES = 8;
const FILE_CODE = 9994;
const NULL_SHAPE = 0;
/** Polygon, PolygonZ, PolygonM: the rings lie alike in all three. */
const POLYGONS = new Set([5, 15, 25]);

/** What one record turned out to be. */
export type ShpRecord =
  | { readonly rings: readonly Int32Array[] }
  /** Why it is no outline, in a short phrase. */
  | { readonly problem: string };

/**
 * Streams the polygons of a .shp file; `wanted` says which record numbers (from 0) to decode. Rings come closed, in
 * whole 1e-7 degrees, consecutive equal vertices dropped.
 * Format: ESRI Shapefile Technical Description, July 1998. Throws `InputError` on a cut or broken file.
 */
export async function readShp(
  file: InputFile,
  wanted: (record: number) => boolean,
  onRecord: (record: number, shape: ShpRecord) => void,
): Promise<void> {
  const reader = createChunkReader(await file.open());
  try {
    const header = await reader.take(HEADER_BYTES);
    if (!header || header.readInt32BE(0) !== FILE_CODE) throw new InputError(`${file.label}: not a shapefile`);
    const type = header.readInt32LE(32);
    if (!POLYGONS.has(type)) throw new InputError(`${file.label}: holds shapes of type ${type}, not polygons`);
    let rest = header.readInt32BE(24) * 2 - HEADER_BYTES;
    for (let record = 0; rest > 0; record++) {
      const recordHeader = await reader.take(RECORD_HEADER_BYTES);
      const sizeBytes = recordHeader ? recordHeader.readInt32BE(4) * 2 : 0;
      if (sizeBytes < 4 || sizeBytes > rest) throw new InputError(`${file.label}: broken at record ${record + 1}`);
      if (wanted(record)) {
        const content = await reader.take(sizeBytes);
        if (!content) throw new InputError(`${file.label}: cut off within record ${record + 1}`);
        onRecord(record, decodePolygon(content, file.label, record));
      } else if (!(await reader.skip(sizeBytes))) {
        throw new InputError(`${file.label}: cut off within record ${record + 1}`);
      }
      rest -= RECORD_HEADER_BYTES + sizeBytes;
    }
    await reader.drain();
  } finally {
    reader.close();
  }
}

/** Bytes before the list of parts: type, box, number of parts, number of points. */
const POLYGON_HEAD_BYTES = 44;

function decodePolygon(content: Buffer, label: string, record: number): ShpRecord {
  if (content.readInt32LE(0) === NULL_SHAPE) return { problem: 'a record without a shape' };
  const fail = (): InputError => new InputError(`${label}: broken polygon in record ${record + 1}`);
  if (content.byteLength < POLYGON_HEAD_BYTES) throw fail();
  const partCount = content.readInt32LE(36);
  const pointCount = content.readInt32LE(40);
  const pointsAt = POLYGON_HEAD_BYTES + partCount * 4;
  if (partCount < 1 || pointCount < 1 || pointsAt + pointCount * 16 > content.byteLength) throw fail();
  const rings: Int32Array[] = [];
  for (let part = 0; part < partCount; part++) {
    const start = content.readInt32LE(POLYGON_HEAD_BYTES + part * 4);
    const end = part + 1 < partCount ? content.readInt32LE(POLYGON_HEAD_BYTES + part * 4 + 4) : pointCount;
    if (start < 0 || end > pointCount || start >= end) throw fail();
    const ring = decodeRing(content, pointsAt + start * 16, end - start);
    if (ring === undefined) return { problem: 'coordinates outside the United States (swapped or projected?)' };
    if (ring.length >= 8) rings.push(ring);
  }
  return rings.length > 0 ? { rings } : { problem: 'an outline without area' };
}

/** One ring, closed; undefined where a coordinate cannot be one of the United States. */
function decodeRing(content: Buffer, offset: number, pointCount: number): Int32Array | undefined {
  const points = new DataView(content.buffer, content.byteOffset + offset, pointCount * 16);
  const ring = new Int32Array(pointCount * 2 + 2);
  let length = 0;
  for (let at = 0; at < points.byteLength; at += 16) {
    const lng = points.getFloat64(at, true);
    const lat = points.getFloat64(at + 8, true);
    if (!couldBeInUnitedStates(lat, lng)) return undefined;
    const x = quantize(lng);
    const y = quantize(lat);
    if (length > 0 && ring[length - 2] === x && ring[length - 1] === y) continue;
    ring[length] = x;
    ring[length + 1] = y;
    length += 2;
  }
  const [firstX = 0, firstY = 0] = ring;
  if (ring[length - 2] !== firstX || ring[length - 1] !== firstY) {
    ring[length] = firstX;
    ring[length + 1] = firstY;
    length += 2;
  }
  return ring.slice(0, length);
}

/**
 * A wide frame around the states and territories, from American Samoa to Alaska's north, and from Guam over the
 * antimeridian to Maine. Swapped and projected coordinates fall outside of it, as do NaN and infinities.
 */
export function couldBeInUnitedStates(lat: number, lng: number): boolean {
  return lat >= -15 && lat <= 72 && ((lng >= -180 && lng <= -64) || (lng >= 144 && lng <= 180));
}
