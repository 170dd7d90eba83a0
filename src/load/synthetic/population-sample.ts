import { sum } from '../../core/sum.js';
import type { Random } from './random.js';
import { at, boundsOf, containsPoint, crossingsAt, forEachRing, type Rings } from './rings.js';

/** A position in whole 1e-7 degrees. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The share of a county's people who live around its towns; the rest live anywhere. */
const TOWN_SHARE = 0.7;

/** The largest town's reach as a share of the county's extent, and the factor by which each further town is smaller. */
const TOWN_REACH = 0.08;
const TOWN_DECLINE = 0.6;

/**
 * Samples where a county's people live: most around its towns, thinning out from their centers, the rest anywhere.
 * Counties with more tracts have more towns; the first town is the largest. O(size × vertices).
 */
export function samplePeople(outline: Rings, tractCount: number, size: number, random: Random): Point[] {
  const anywhere = createAnywhere(outline, random);
  const towns = Array.from({ length: 1 + Math.floor(Math.log2(tractCount) / 2) }, anywhere);
  const { minX, minY, maxX, maxY } = boundsOf(outline);
  const reachX = Math.min(maxX - minX, 2 * (maxY - minY)) * TOWN_REACH;
  const reachY = (maxY - minY) * TOWN_REACH;
  const nearTown = (): Point | undefined => {
    const rank = townRank(towns.length, random);
    const scale = Math.exp(random.normal() / 2) * TOWN_DECLINE ** rank;
    const x = Math.round((towns[rank]?.x ?? 0) + random.normal() * reachX * scale);
    const y = Math.round((towns[rank]?.y ?? 0) + random.normal() * reachY * scale);
    return containsPoint(outline, x, y) ? { x, y } : undefined;
  };
  return Array.from({ length: size }, () => (random.next() < TOWN_SHARE ? nearTown() : undefined) ?? anywhere());
}

/** A random town's index; most often 0, the largest. */
function townRank(towns: number, random: Random): number {
  return Math.min(towns - 1, Math.floor(-Math.log(1 - random.next()) * 1.5));
}

/** Draws points on random parallels through the county's parts, each part with a probability in proportion to its height. */
function createAnywhere(outline: Rings, random: Random): () => Point {
  const spans: { south: number; height: number }[] = [];
  forEachRing(outline, (begin, end) => {
    const ys = outline.ys.slice(begin, end);
    const south = ys.reduce((least, y) => Math.min(least, y));
    spans.push({ south, height: ys.reduce((most, y) => Math.max(most, y)) - south });
  });
  const heights = spans.reduce((sum, { height }) => sum + height, 0);
  return () => {
    let left = random.next() * heights;
    const part = spans.find(({ height }) => {
      left -= height;
      return left < 0;
    });
    const y = Math.floor((part?.south ?? 0) + (part?.height ?? 0) + left);
    return { x: pointInside(crossingsAt(outline, y), random), y };
  };
}

/** The x of a random point inside the outline on a parallel, given the parallel's crossings with the outline. */
function pointInside(crossings: readonly number[], random: Random): number {
  const widths: number[] = [];
  for (let i = 0; i + 1 < crossings.length; i += 2) widths.push(at(crossings, i + 1) - at(crossings, i));
  let left = random.next() * sum(widths);
  for (const [pair, width] of widths.entries()) {
    if (left <= width) return Math.round(at(crossings, 2 * pair) + left);
    left -= width;
  }
  throw new Error('a parallel through a county does not cross it');
}
