import { MICRO_PER_DEGREE } from '../../../core/streets/street-line.js';
import { NULL_SHAPE, readParts, type ShapeKind } from '../../files/shp-records.js';
import { couldBeInUnitedStates } from '../../us-bounds.js';

/** PolyLine, PolyLineZ, PolyLineM. */
export const POLYLINES: ShapeKind = { plural: 'lines', codes: new Set([3, 13, 23]) };

/** A decoded record. */
export type LineRecord =
  /** x,y interleaved in 1e-6 degrees, consecutive equal vertices dropped. */
  | { readonly line: Int32Array }
  /** Why it is no stretch of street, as a short phrase. */
  | { readonly problem: string };

/** Decodes a polyline; undefined if its content is broken. Streets have one part; any further parts are appended to it. */
export function decodePolyline(content: Buffer): LineRecord | undefined {
  if (content.readInt32LE(0) === NULL_SHAPE) return { problem: 'a record without a shape' };
  const parts = readParts(content);
  if (!parts) return undefined;
  const line = new Int32Array(parts.pointCount * 2);
  let length = 0;
  for (let point = 0; point < parts.pointCount; point++) {
    const lng = content.readDoubleLE(parts.pointsAt + point * 16);
    const lat = content.readDoubleLE(parts.pointsAt + point * 16 + 8);
    if (!couldBeInUnitedStates(lat, lng))
      return { problem: 'coordinates outside the United States (swapped or projected?)' };
    const [x, y] = [Math.round(lng * MICRO_PER_DEGREE), Math.round(lat * MICRO_PER_DEGREE)];
    if (length > 0 && line[length - 2] === x && line[length - 1] === y) continue;
    line[length++] = x;
    line[length++] = y;
  }
  return length < 4 ? { problem: 'line without length' } : { line: line.slice(0, length) };
}
