import type { OfficialRange } from './official-ranges.js';

const METRES_PER_DEGREE = 111_195;
/** The geocoder's offset from the center line, plus a little tolerance. */
const BESIDE_METRES = 12;
/** A point nearer to the line than this is on neither side. */
const ON_LINE_METRES = 0.3;

/** A position in degrees. */
interface Point {
  readonly lat: number;
  readonly lng: number;
}

/** Whether a point lies beside a range's line, on the range's side. Plain geometry without the service's code. */
export function liesBeside({ line, side }: OfficialRange, { lat, lng }: Point): boolean {
  const shrink = Math.cos((lat * Math.PI) / 180);
  let [nearest, cross] = [Infinity, 0];
  for (let at = 1; at < line.length; at++) {
    const [[aLng, aLat], [bLng, bLat]] = [line[at - 1] ?? [0, 0], line[at] ?? [0, 0]];
    const [ex, ey] = [(bLng - aLng) * shrink, bLat - aLat];
    const [px, py] = [(lng - aLng) * shrink, lat - aLat];
    const length = Math.hypot(ex, ey);
    if (length === 0) continue;
    const share = Math.min(1, Math.max(0, (px * ex + py * ey) / length ** 2));
    const distance = Math.hypot(px - share * ex, py - share * ey) * METRES_PER_DEGREE;
    if (distance >= nearest) continue;
    nearest = distance;
    cross = ((ex * py - ey * px) / length) * METRES_PER_DEGREE;
  }
  if (nearest > BESIDE_METRES || Math.abs(cross) < ON_LINE_METRES) return false;
  return cross > 0 === (side === 'left');
}

/** The Levenshtein distance extended by swaps of neighbouring letters, by the textbook's dynamic programming. */
export function editDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : i)),
  );
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const change = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const row = rows[i] ?? [];
      row[j] = Math.min(change, at(i - 1, j) + 1, at(i, j - 1) + 1, isSwap ? at(i - 2, j - 2) + 1 : Infinity);
    }
  }
  return at(a.length, b.length);
}
