import { quantize } from '../../src/core/coordinates.js';
import type { Dataset } from '../../src/format/dataset.js';
import { createRandom } from '../../src/load/synthetic/random.js';
import type { Points } from './plain-scan.js';

/** The contiguous states' bounding box in units; in that of all states most random points would lie in the Pacific. */
const CONTIGUOUS_STATES = {
  minX: quantize(-124.85),
  minY: quantize(24.4),
  maxX: quantize(-66.88),
  maxY: quantize(49.39),
};
/** Largest distance from an internal point on each axis, about 2 km: inside a rural tract, but often beyond an urban one. */
const SPREAD_DEGREES = 0.02;

/** Uniformly random points in the box around all outlines, clipped to the contiguous states' box if the two overlap. */
export function uniformPoints(dataset: Dataset, count: number, seed: number): Points {
  const { minX, minY, maxX, maxY } = frame(dataset);
  const random = createRandom(seed, 'uniform');
  return makePoints(count, () => [minX + random.next() * (maxX - minX), minY + random.next() * (maxY - minY)]);
}

/** Points near the internal points of random tracts, where people live and requests come from. */
export function pointsNearTracts({ tracts }: Dataset, count: number, seed: number): Points {
  const random = createRandom(seed, 'near tracts');
  const spread = (): number => (random.next() * 2 - 1) * SPREAD_DEGREES;
  return makePoints(count, () => {
    const row = Math.floor(random.next() * tracts.tractCount);
    return [quantize((tracts.lngs[row] ?? 0) + spread()), quantize((tracts.lats[row] ?? 0) + spread())];
  });
}

/** Random vertices of outlines: points on borders, which test the rule that decides there. */
export function borderPoints(dataset: Dataset, count: number, seed: number): Points {
  const vertices = dataset.outlines.container.int32('vertex');
  const random = createRandom(seed, 'border');
  return makePoints(count, () => {
    const vertex = Math.floor((random.next() * vertices.length) / 2) * 2;
    return [vertices[vertex] ?? 0, vertices[vertex + 1] ?? 0];
  });
}

function makePoints(count: number, make: () => readonly [number, number]): Points {
  const points = { xs: new Int32Array(count), ys: new Int32Array(count) };
  for (let index = 0; index < count; index++) {
    const [x, y] = make();
    points.xs[index] = Math.round(x);
    points.ys[index] = Math.round(y);
  }
  return points;
}

function frame({ outlines }: Dataset): typeof CONTIGUOUS_STATES {
  const boxes = outlines.container.int32('chunk/box');
  const all = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (let at = 0; at < boxes.length; at += 4) {
    all.minX = Math.min(all.minX, boxes[at] ?? 0);
    all.minY = Math.min(all.minY, boxes[at + 1] ?? 0);
    all.maxX = Math.max(all.maxX, boxes[at + 2] ?? 0);
    all.maxY = Math.max(all.maxY, boxes[at + 3] ?? 0);
  }
  const clipped = {
    minX: Math.max(all.minX, CONTIGUOUS_STATES.minX),
    minY: Math.max(all.minY, CONTIGUOUS_STATES.minY),
    maxX: Math.min(all.maxX, CONTIGUOUS_STATES.maxX),
    maxY: Math.min(all.maxY, CONTIGUOUS_STATES.maxY),
  };
  return clipped.minX < clipped.maxX && clipped.minY < clipped.maxY ? clipped : all;
}
