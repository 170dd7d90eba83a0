import { around } from 'geokdbush';
import { distanceMiles, KM_PER_STATUTE_MILE, type LatLng } from '../../src/core/coordinates.js';
import { roundTo } from '../../src/core/rounding.js';
import type { Dataset } from '../../src/format/dataset.js';
import { type IndexedPoints, pointsWithin } from '../../src/query/around/points-within.js';
import { nearbyBody } from '../../src/query/nearby.js';
import { providersNear } from '../../src/query/providers.js';
import { microseconds } from '../lib/microseconds.js';
import { alternate, figure, ratioFigure } from '../lib/rounds.js';
import { type Figure, WrongAnswerError } from '../lib/suite.js';
import { centersNearTracts, type SearchCase, searchCases } from './search-cases.js';

const ROUNDS = 7;
const WARM_UPS = 2;
/** Searches of each case that are compared with a scan of all points. */
const CHECKED = 100;

/** Radius searches, against geokdbush on the same KD-trees. Throws `WrongAnswerError` if answers differ. */
export async function measureSearches(
  dataset: Dataset,
  note: (text: string) => void,
): Promise<{ checks: string[]; figures: Figure[] }> {
  const cases = searchCases(dataset);
  note('checking searches against a scan of all points');
  const checks = cases.map(checkCase);
  const figures: Figure[] = [];
  for (const searched of cases) {
    note(`timing ${searched.label}`);
    figures.push(...(await compareKernels(searched)));
  }
  note('timing bodies');
  figures.push(...(await measureBodies(dataset)));
  return { checks, figures };
}

interface Found {
  readonly total: number;
  readonly page: readonly { readonly row: number }[];
}

function search({ points, radiusMiles, limit }: SearchCase, center: LatLng): Found {
  return pointsWithin(points, { center, radiusMiles, limit, offset: 0 });
}

/** The same search by geokdbush, which sorts one tree's points by distance; several trees' points are sorted here. */
function searchByPeer({ points, radiusMiles, limit }: SearchCase, center: LatLng): Found {
  const radiusKm = radiusMiles * KM_PER_STATUTE_MILE;
  const found = points.trees.map(({ index, rows }) => {
    const ids = around(index, center.lng, center.lat, Number.POSITIVE_INFINITY, radiusKm);
    return rows ? ids.map((id) => rows[id] ?? 0) : ids;
  });
  const [only] = found;
  if (only && found.length === 1) return { total: only.length, page: only.slice(0, limit).map((row) => ({ row })) };
  const all = found.flat().map((row) => ({ row, miles: distanceMiles(center, pointAt(points, row)) }));
  all.sort((a, b) => a.miles - b.miles);
  return { total: all.length, page: all.slice(0, limit) };
}

function checkCase(searched: SearchCase): string {
  const { label, points, centers, radiusMiles, limit } = searched;
  for (const [at, center] of centers.entries()) {
    const { total, page } = search(searched, center);
    const peer = searchByPeer(searched, center);
    if (peer.total !== total) throw new WrongAnswerError(`${label}: ${total} found, geokdbush has ${peer.total}`);
    if (at >= CHECKED) continue;
    const scanned = rowsIn(points)
      .map((row) => ({ row, miles: distanceMiles(center, pointAt(points, row)) }))
      .filter(({ miles }) => miles <= radiusMiles);
    scanned.sort((a, b) => roundTo(a.miles, 2) - roundTo(b.miles, 2) || a.row - b.row);
    const rows = scanned.slice(0, limit).map(({ row }) => row);
    if (scanned.length !== total || rows.join() !== page.map(({ row }) => row).join()) {
      throw new WrongAnswerError(`${label}: another answer than the scan at ${center.lat}, ${center.lng}`);
    }
  }
  return `${label} answers as a scan at ${CHECKED} points, and counts as geokdbush at ${centers.length}`;
}

const rowsIn = ({ trees }: IndexedPoints): number[] =>
  trees.flatMap(({ index, rows }) => [...(rows ?? Array(index.numItems).keys())]);

const pointAt = ({ lats, lngs }: IndexedPoints, row: number): LatLng => ({ lat: lats[row] ?? 0, lng: lngs[row] ?? 0 });

/** Times a search with its exact total by both and, for information, geokdbush limited to the first page. */
async function compareKernels(searched: SearchCase): Promise<Figure[]> {
  const { label, centers, points, limit, radiusMiles, target } = searched;
  const { kernel, peer, page } = await alternate(
    [
      { name: 'kernel', run: () => microseconds(centers, (center) => found(search(searched, center))) },
      { name: 'peer', run: () => microseconds(centers, (center) => found(searchByPeer(searched, center))) },
      {
        name: 'page',
        run: () =>
          microseconds(centers, ({ lat, lng }) => {
            const radiusKm = radiusMiles * KM_PER_STATUTE_MILE;
            return points.trees.reduce((sum, { index }) => sum + around(index, lng, lat, limit, radiusKm).length, 0);
          }),
      },
    ],
    { rounds: ROUNDS, warmUps: WARM_UPS },
  );
  return [
    figure(`${label}, kernel with total`, 'µs', kernel),
    figure(`${label}, geokdbush with total`, 'µs', peer),
    figure(`${label}, geokdbush, the first ${limit} without total`, 'µs', page),
    ratioFigure(`${label}, geokdbush : kernel`, peer, kernel, target ?? 'more'),
  ];
}

/** Times whole answers, from the query to the finished bytes. */
async function measureBodies(dataset: Dataset): Promise<Figure[]> {
  const { tracts } = dataset;
  const centers = centersNearTracts(dataset);
  const query = { radiusMiles: 5, limit: 25, offset: 0 };
  const { body, providers } = await alternate(
    [
      { name: 'body', run: () => microseconds(centers, (center) => nearbyBody(tracts, { center, ...query }).length) },
      {
        name: 'providers',
        run: () =>
          microseconds(
            centers,
            (center) => providersNear(dataset, { center, ...query, limit: 50, type: 'all' }).length,
          ),
      },
    ],
    { rounds: ROUNDS, warmUps: WARM_UPS },
  );
  return [
    figure('nearby 5 mi, finished body', 'µs', body),
    ...(dataset.providers ? [figure('providers 5 mi, all, finished body', 'µs', providers)] : []),
  ];
}

const found = ({ total, page }: Found): number => total + (page.at(-1)?.row ?? 0);
