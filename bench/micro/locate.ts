import { UNITS_PER_DEGREE } from '../../src/core/coordinates.js';
import type { Dataset } from '../../src/format/dataset.js';
import { consume } from '../lib/consume.js';
import { alternate, figure, ratioFigure } from '../lib/rounds.js';
import { type Figure, type SuiteContext, WrongAnswerError } from '../lib/suite.js';
import { buildPolygonIndex } from '../peers/polygon-index.js';
import { type Points, scanPlainly } from './plain-scan.js';
import { borderPoints, pointsNearTracts, uniformPoints } from './points.js';

const SEED = 1;
const ROUNDS = 7;
const WARM_UPS = 1;
/** Points per sample, each looked up once: in further passes the processor's caches would hold what the first has read. */
const POINTS = 500_000;
/** The 100,000 points that are checked against the plain scan, by how they are chosen. */
const CHECKED = { uniform: 40_000, near: 40_000, border: 20_000 };
/** The least share of equal answers: on borders, and where two products' outlines overlap, which-polygon may differ. */
const LEAST_AGREEMENT = 0.999;

type PolygonIndex = ReturnType<typeof buildPolygonIndex>;

/** Point in tract against which-polygon, on the same outlines and points in the same process. */
export async function measureLocate(
  dataset: Dataset,
  note: SuiteContext['note'],
): Promise<{ readonly checks: string[]; readonly figures: Figure[] }> {
  const { outlines, tracts } = dataset;
  note(`building which-polygon's index over ${outlines.outlineCount} outlines`);
  const polygons = buildPolygonIndex(tracts.tractCount, outlines.rings);
  note('checking answers against a plain scan');
  const checks = checkAnswers(dataset, polygons);
  const figures: Figure[] = [];
  for (const [label, points] of [
    ['uniform', uniformPoints(dataset, POINTS, SEED + 1)],
    ['near tracts', pointsNearTracts(dataset, POINTS, SEED + 1)],
  ] as const) {
    note(`timing points ${label}`);
    figures.push(...(await compare(label, dataset, polygons, points)));
  }
  return { checks, figures };
}

/**
 * Compares both contestants with the plain scan. Throws `WrongAnswerError` if `locate` ever differs from it, or
 * which-polygon too often.
 */
function checkAnswers(dataset: Dataset, polygons: PolygonIndex): string[] {
  const { tracts, outlines } = dataset;
  let checked = 0;
  let compared = 0;
  let agreed = 0;
  for (const [label, points] of [
    ['uniform', uniformPoints(dataset, CHECKED.uniform, SEED)],
    ['near tracts', pointsNearTracts(dataset, CHECKED.near, SEED)],
    ['border', borderPoints(dataset, CHECKED.border, SEED)],
  ] as const) {
    const rows = scanPlainly(points, tracts.tractCount, outlines.rings);
    const { lats, lngs } = degrees(points);
    rows.forEach((row, index) => {
      const lat = lats[index] ?? 0;
      const lng = lngs[index] ?? 0;
      const found = outlines.locate({ lat, lng });
      if (found !== row) throw new WrongAnswerError(`locate(${lat}, ${lng}) gives row ${found}, the plain scan ${row}`);
      checked++;
      if (label === 'border') return;
      compared++;
      if ((polygons([lng, lat])?.row ?? -1) === row) agreed++;
    });
  }
  if (agreed < compared * LEAST_AGREEMENT) {
    throw new WrongAnswerError(
      `which-polygon agrees on only ${agreed} of ${compared} points: its index is built wrongly`,
    );
  }
  return [
    `locate answers as the plain scan on ${checked} points, ${CHECKED.border} of them on borders`,
    `which-polygon answers as the plain scan on ${agreed} of ${compared} points off borders`,
  ];
}

/** Measures both contestants' lookups per second on the same points. */
async function compare(
  label: string,
  { outlines }: Dataset,
  polygons: PolygonIndex,
  points: Points,
): Promise<Figure[]> {
  // Point objects are created for each lookup, as a request does; stored ones would first have to be fetched from memory.
  const { lats, lngs } = degrees(points);
  const { locate, peer } = await alternate(
    [
      {
        name: 'locate',
        run: () => millionsASecond((at) => outlines.locate({ lat: lats[at] ?? 0, lng: lngs[at] ?? 0 })),
      },
      { name: 'peer', run: () => millionsASecond((at) => polygons([lngs[at] ?? 0, lats[at] ?? 0])?.row ?? -1) },
    ],
    { rounds: ROUNDS, warmUps: WARM_UPS },
  );
  return [
    figure(`locate, points ${label}`, 'M/s', locate, { sign: '≥', bound: 1 }),
    figure(`which-polygon, points ${label}`, 'M/s', peer),
    ratioFigure(`locate : which-polygon, points ${label}`, locate, peer, { sign: '≥', bound: 5 }),
  ];
}

/** Looks up every point once; returns millions of lookups per second. */
function millionsASecond(rowAt: (point: number) => number): number {
  const startedAt = performance.now();
  for (let point = 0; point < POINTS; point++) consume(rowAt(point));
  return POINTS / (performance.now() - startedAt) / 1000;
}

function degrees({ xs, ys }: Points): { lats: Float64Array; lngs: Float64Array } {
  return {
    lats: Float64Array.from(ys, (y) => y / UNITS_PER_DEGREE),
    lngs: Float64Array.from(xs, (x) => x / UNITS_PER_DEGREE),
  };
}
