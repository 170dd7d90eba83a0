import { COMMA } from '../../core/json-characters.js';
import { signedArea } from '../../core/signed-area.js';
import type { ByteWriter } from '../byte-writer.js';
import { groupRings, type PolygonRings } from './polygons.js';
import type { Ring } from './ring.js';

const [OPEN, CLOSE] = [0x5b, 0x5d];

// `as number` in this file: reads of typed arrays at indices that the loops bound.

/**
 * Writes rings as a GeoJSON geometry (RFC 7946): a Polygon, a MultiPolygon if there are several, or null if there are none.
 * Outer rings are counter-clockwise; holes are clockwise and follow the outer ring that they lie in. `thin` returns the ring
 * to show in place of a ring.
 */
export function writeGeometry(writer: ByteWriter, rings: readonly Ring[], thin: (ring: Ring) => Ring): void {
  const polygons = groupRings(rings);
  const [first] = polygons;
  if (first === undefined) {
    writer.text('null');
    return;
  }
  const shown = (index: number): Ring => thin(rings[index] ?? new Int32Array());
  const isMulti = polygons.length > 1;
  writer.text(isMulti ? '{"type":"MultiPolygon","coordinates":[' : '{"type":"Polygon","coordinates":');
  polygons.forEach((polygon, at) => {
    if (at > 0) writer.text(',');
    writePolygon(writer, polygon, shown);
  });
  writer.text(isMulti ? ']}' : '}');
}

function writePolygon(writer: ByteWriter, { outer, holes }: PolygonRings, shown: (index: number) => Ring): void {
  writer.text('[');
  writeRing(writer, shown(outer), 1);
  for (const hole of holes) {
    writer.text(',');
    writeRing(writer, shown(hole), -1);
  }
  writer.text(']');
}

/** Writes a closed ring so that it winds counter-clockwise (1) or clockwise (−1). */
function writeRing(writer: ByteWriter, ring: Ring, winding: 1 | -1): void {
  const backward = signedArea(ring) * winding < 0;
  const last = ring.length - 2;
  writer.text('[');
  for (let at = 0; at <= last; at += 2) {
    const from = backward ? last - at : at;
    if (at > 0) writer.character(COMMA);
    writer.character(OPEN);
    writer.degrees(ring[from] as number);
    writer.character(COMMA);
    writer.degrees(ring[from + 1] as number);
    writer.character(CLOSE);
  }
  writer.text(']');
}
