import { type LatLng, UNITS_PER_DEGREE } from '../../src/core/coordinates.js';
import type { Dataset } from '../../src/format/dataset.js';
import type { IndexedPoints } from '../../src/query/around/points-within.js';
import type { Target } from '../lib/suite.js';
import type { Points } from './plain-scan.js';
import { pointsNearTracts, uniformPoints } from './points.js';

const SEED = 3;
/** Searches per sample. */
const SEARCHES = 2000;
const TRACTS_LIMIT = 25;
const TRACTS_RADII_MILES = [5, 25, 50];
const PROVIDERS_LIMIT = 50;
const PROVIDERS_RADIUS_MILES = 5;

/** Searches for the first page of results within a radius, around many centers. */
export interface SearchCase {
  readonly label: string;
  readonly points: IndexedPoints;
  readonly centers: readonly LatLng[];
  readonly radiusMiles: number;
  readonly limit: number;
  readonly target?: Target;
}

/** The measured searches: for tracts and, if the dataset has any, for providers. */
export function searchCases(dataset: Dataset): SearchCase[] {
  return [...tractCases(dataset), ...providerCases(dataset)];
}

/** Random points near tracts' internal points, where people ask. */
export function centersNearTracts(dataset: Dataset): LatLng[] {
  return degrees(pointsNearTracts(dataset, SEARCHES, SEED));
}

function tractCases(dataset: Dataset): SearchCase[] {
  const { lats, lngs, pointIndex } = dataset.tracts;
  const points = { lats, lngs, trees: [{ index: pointIndex }] };
  const near = centersNearTracts(dataset);
  const uniform = degrees(uniformPoints(dataset, SEARCHES, SEED));
  const target: Target = { sign: '≥', bound: 3 };
  return [
    ...TRACTS_RADII_MILES.map((radiusMiles) => ({
      label: `nearby ${radiusMiles} mi`,
      points,
      centers: near,
      radiusMiles,
      limit: TRACTS_LIMIT,
      ...(radiusMiles === 25 && { target }),
    })),
    { label: 'nearby 25 mi, points uniform', points, centers: uniform, radiusMiles: 25, limit: TRACTS_LIMIT },
  ];
}

function providerCases(dataset: Dataset): SearchCase[] {
  const { providers } = dataset;
  if (!providers) return [];
  const { lats, lngs } = providers;
  const centers = centersNearTracts(dataset);
  return (['all', 'pcp', 'fqhc'] as const).map((type) => ({
    label: `providers ${PROVIDERS_RADIUS_MILES} mi, ${type}`,
    points: { lats, lngs, trees: providers.trees(type) },
    centers,
    radiusMiles: PROVIDERS_RADIUS_MILES,
    limit: PROVIDERS_LIMIT,
  }));
}

function degrees({ xs, ys }: Points): LatLng[] {
  return Array.from(xs, (x, at) => ({ lat: (ys[at] ?? 0) / UNITS_PER_DEGREE, lng: x / UNITS_PER_DEGREE }));
}
