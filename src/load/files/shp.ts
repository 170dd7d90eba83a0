import { quantize } from '../../core/coordinates.js';
import { signedArea } from '../../core/signed-area.js';
import { boxOf } from '../../format/box.js';
import { damagedFile, type InputFile } from '../input.js';
import { couldBeInUnitedStates } from '../us-bounds.js';
import { NULL_SHAPE, readParts, readShpRecords, type ShapeKind } from './shp-records.js';

/** Polygon, PolygonZ, PolygonM: all three store the rings in the same way. */
const POLYGONS: ShapeKind = { plural: 'polygons', codes: new Set([5, 15, 25]) };

/** A decoded record. */
export type ShpRecord =
  | { readonly rings: readonly Int32Array[] }
  /** Why it is no outline, as a short phrase. */
  | { readonly problem: string };

/**
 * Streams the polygons of a .shp file; `wanted` selects the record numbers (from 0) to decode. Rings are closed, in whole
 * 1e-7 degrees, without consecutive equal vertices. Returns how many records the file has, wanted or not.
 * Throws `InputError` on a truncated or broken file.
 */
export async function readShp(
  file: InputFile,
  wanted: (record: number) => boolean,
  onRecord: (record: number, shape: ShpRecord) => void,
): Promise<number> {
  return readShpRecords(file, POLYGONS, wanted, (record, content) => {
    onRecord(record, decodePolygon(content, file.label, record));
  });
}

function decodePolygon(content: Buffer, label: string, record: number): ShpRecord {
  if (content.readInt32LE(0) === NULL_SHAPE) return { problem: 'a record without a shape' };
  const parts = readParts(content);
  if (!parts) throw damagedFile(label, `broken polygon in record ${record + 1}`);
  const rings: Int32Array[] = [];
  for (let part = 0; part + 1 < parts.firsts.length; part++) {
    const [start = 0, end = 0] = parts.firsts.slice(part, part + 2);
    const ring = decodeRing(content, parts.pointsAt + start * 16, end - start);
    if (ring === undefined) return { problem: 'coordinates outside the United States (swapped or projected?)' };
    if (ring.length >= 8) rings.push(ring);
  }
  return encloseNothing(rings) ? { problem: 'an outline without area' } : { rings };
}

/** The digits of an area that do not depend on where a ring begins. */
const AREA_DIGITS = 9;

/** Whether no ring has an area, or each occurs twice: by the even-odd rule its other copy takes away what it encloses. */
function encloseNothing(rings: readonly Int32Array[]): boolean {
  const unpaired = new Set<string>();
  for (const ring of rings) {
    const area = Math.abs(signedArea(ring));
    if (area === 0) continue;
    const id = [area.toPrecision(AREA_DIGITS), ring.length, ...boxOf(ring)].join(' ');
    if (!unpaired.delete(id)) unpaired.add(id);
  }
  return unpaired.size === 0;
}

/** One ring, closed; undefined if a coordinate cannot lie in the United States. */
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
  // A view, not a copy: little of the array is unused.
  return ring.subarray(0, length);
}
