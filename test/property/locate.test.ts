import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantize, UNITS_PER_DEGREE } from '../../src/core/coordinates.js';
import { signedArea } from '../../src/core/signed-area.js';
import { mapFile } from '../../src/format/byte-source.js';
import { type OutlinesFile, openOutlinesFile, writeOutlinesFile } from '../../src/format/outlines-file.js';
import { readShp } from '../../src/load/files/shp.js';
import { evenly } from '../support/evenly.js';
import { fakeFile } from '../support/input-file.js';
import { naiveLocateOnGlobe } from '../support/naive-locate.js';
import { type LngLat, shpFile } from '../support/shapefile-writer.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** 180° and 90° in 1e-7 degrees: where the grid of cells begins, and where coordinates end. */
const WEST = 1_800_000_000;
const SOUTH = 900_000_000;
const TILE = 2 ** 22;

type Point = readonly [x: number, y: number];
type Outlines = readonly (readonly Int32Array[])[];

const ring = (points: readonly Point[]): Int32Array => Int32Array.from([...points, points[0] ?? [0, 0]].flat());

/** Writes outlines, opens them mapped, and hands them to the work; one at a time. */
function outlineWriter(): (outlines: Outlines, work: (file: OutlinesFile) => void) => void {
  const directory = temporaryDirectory();
  let count = 0;
  return (outlines, work) => {
    count++;
    const path = join(directory, `${count}.tctx`);
    writeOutlinesFile(path, outlines);
    const file = openOutlinesFile(mapFile(path), outlines.length);
    try {
      work(file);
    } finally {
      file.container.release();
    }
  };
}

/** Whole units as degrees; taking them to the nearest unit gives them back. */
const locate = (file: OutlinesFile, [x, y]: Point): number =>
  file.locate({ lat: y / UNITS_PER_DEGREE, lng: x / UNITS_PER_DEGREE });

function expectAsScanned(outlines: Outlines, file: OutlinesFile, points: Iterable<Point>): void {
  for (const [x, y] of points) {
    if (Math.abs(x) > WEST || Math.abs(y) > SOUTH) continue;
    const found = locate(file, [x, y]);
    const expected = naiveLocateOnGlobe(outlines, x, y);
    if (found !== expected) expect.fail(`at ${x}, ${y}: row ${found}, by scan ${expected}`);
  }
}

function* around([x, y]: Point): Generator<Point> {
  for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) yield [x + dx, y + dy];
}

const LATTICE = 7;
const latticePoint = fc.tuple(fc.integer({ min: 0, max: LATTICE }), fc.integer({ min: 0, max: LATTICE }));
/** Any rings of few points: they overlap, nest, touch, and have horizontal edges and doubled vertices all the time. */
const rowsOfRings = (mostRows: number, mostRings: number): fc.Arbitrary<Point[][][]> =>
  fc.array(fc.array(fc.array(latticePoint, { minLength: 3, maxLength: 7 }), { minLength: 0, maxLength: mostRings }), {
    minLength: 1,
    maxLength: mostRows,
  });
const latticeRows = rowsOfRings(5, 3);

function placed(rows: readonly (readonly (readonly Point[])[])[], corner: Point, step: number): Outlines {
  return rows.map((rings) =>
    rings.map((points) => ring(points.map(([x, y]): Point => [corner[0] + x * step, corner[1] + y * step]))),
  );
}

function* latticeProbes(corner: Point, step: number): Generator<Point> {
  for (let x = -1; x <= LATTICE + 1; x++) {
    for (let y = -1; y <= LATTICE + 1; y++) {
      const probe: Point = [corner[0] + x * step, corner[1] + y * step];
      if (step === 1) yield probe;
      else yield* around(probe);
    }
  }
}

describe('locate answers as an exact scan of all edges', () => {
  it.each([
    ['one unit apart', 1, [-930_000_000, 449_000_000], latticeRows, 25],
    [
      'one unit apart across a corner of four tiles',
      1,
      [200 * TILE - WEST - 3, 300 * TILE - SOUTH - 3],
      latticeRows,
      25,
    ],
    ['0.03 degrees apart, over several tiles', 300_007, [-930_000_000, 449_000_000], latticeRows, 25],
    // Long edges touch very many cells: each of these files is large, and so has few rings.
    ['13 degrees apart, where doubles would round', 130_000_003, [-1_790_000_000, -500_000_001], rowsOfRings(2, 2), 8],
  ] as const)('on polygons, holes, parts and overlaps with vertices %s', (_, step, corner, rowsOf, numRuns) => {
    const withOutlines = outlineWriter();
    const property = fc.property(rowsOf, (rows) => {
      const outlines = placed(rows, corner, step);
      withOutlines(outlines, (file) => expectAsScanned(outlines, file, latticeProbes(corner, step)));
    });
    fc.assert(property, { numRuns });
  });

  it('on both names of the antimeridian, whichever an outline uses', () => {
    const withOutlines = outlineWriter();
    const step = 100_000;
    const property = fc.property(latticeRows, latticeRows, (east, west) => {
      const eastern: Point = [WEST - LATTICE * step, 520_000_000];
      const western: Point = [-WEST, 520_000_000];
      // Rows with parts on either side, as the Aleutian tract has, and rows on one side only.
      const outlines = east.map((rings, row) => [
        ...(placed([rings], eastern, step)[0] ?? []),
        ...(placed([west[row] ?? []], western, step)[0] ?? []),
      ]);
      withOutlines(outlines, (file) => {
        expectAsScanned(outlines, file, latticeProbes(eastern, step));
        expectAsScanned(outlines, file, latticeProbes(western, step));
        for (let y = 0; y <= LATTICE; y++) {
          const lat = (520_000_000 + y * step) / UNITS_PER_DEGREE;
          const row = file.locate({ lat, lng: 180 });
          // The last two are rounded to the first two.
          for (const lng of [-180, 179.99999997, -179.99999997]) expect(file.locate({ lat, lng })).toBe(row);
        }
      });
    });
    fc.assert(property, { numRuns: 25 });
  });

  it('on points within a unit of edges up to 300 degrees long', () => {
    const withOutlines = outlineWriter();
    const anywhere = fc.tuple(
      fc.integer({ min: -1_700_000_000, max: 1_700_000_000 }),
      fc.integer({ min: -SOUTH, max: SOUTH }),
    );
    const triangles = fc.array(fc.tuple(anywhere, anywhere, anywhere), { minLength: 1, maxLength: 2 });
    const shares = fc.array(evenly(0, 1), { minLength: 12, maxLength: 12 });
    const property = fc.property(triangles, shares, (corners, along) => {
      const outlines = corners.map((triangle) => [ring(triangle)]);
      withOutlines(outlines, (file) => {
        for (const [a, b, c] of corners) {
          for (const [[ax, ay], [bx, by]] of [[a, b] as const, [b, c] as const, [c, a] as const]) {
            for (const share of along) {
              const near: Point = [Math.round(ax + (bx - ax) * share), Math.round(ay + (by - ay) * share)];
              expectAsScanned(outlines, file, around(near));
            }
          }
        }
      });
    });
    // As large as those above.
    fc.assert(property, { numRuns: 3 });
  });

  it('within a unit of the edges of cells of every size', () => {
    const withOutlines = outlineWriter();
    const corner: Point = [208 * TILE - WEST, 322 * TILE - SOUTH];
    const star = fc.record({
      x: fc.integer({ min: -TILE, max: TILE }),
      y: fc.integer({ min: -TILE, max: TILE }),
      // The more edges, the smaller the cells: these give blocks of levels 2 to 6.
      vertices: fc.constantFrom(3, 40, 300, 3000, 12_000),
      radius: fc.integer({ min: 10, max: TILE }),
      spikes: fc.integer({ min: 1, max: 9 }),
    });
    const probe = fc.record({
      level: fc.integer({ min: 2, max: 8 }),
      column: fc.nat(4 * 256),
      row: fc.nat(4 * 256),
    });
    const property = fc.property(
      fc.array(star, { minLength: 1, maxLength: 4 }),
      fc.array(probe, { minLength: 40, maxLength: 40 }),
      (stars, probes) => {
        const outlines = stars.map((shape) => [ring(starPoints(shape, corner))]);
        withOutlines(outlines, (file) => {
          for (const { level, column, row } of probes) {
            const cell = TILE >> level;
            const side = 4 << level;
            const x = corner[0] - 2 * TILE + (column % side) * cell;
            const y = corner[1] - 2 * TILE + (row % side) * cell;
            expectAsScanned(outlines, file, around([x, y]));
          }
        });
      },
    );
    fc.assert(property, { numRuns: 15 });
  });

  it('far from all edges: within rectangles larger than tiles, in their holes, and around them', () => {
    const withOutlines = outlineWriter();
    const corner: Point = [200 * TILE - WEST, 300 * TILE - SOUTH];
    const tiles = fc.integer({ min: 0, max: 8 });
    const rectangle = fc.record({ x: tiles, y: tiles, width: fc.integer({ min: 5, max: 8 }), hole: fc.boolean() });
    const property = fc.property(fc.array(rectangle, { minLength: 1, maxLength: 3 }), (rectangles) => {
      const outlines = rectangles.map(({ x, y, width, hole }) => {
        const [west, south] = [corner[0] + x * TILE + 1, corner[1] + y * TILE + 1];
        const whole = square([west, south], width * TILE);
        return hole ? [whole, square([west + TILE, south + TILE], (width - 2) * TILE)] : [whole];
      });
      withOutlines(outlines, (file) => expectAsScanned(outlines, file, tileCenters(corner, 17)));
    });
    fc.assert(property, { numRuns: 15 });
  });
});

function square([west, south]: Point, side: number): Int32Array {
  const [east, north] = [west + side, south + side];
  return ring([
    [west, south],
    [west, north],
    [east, north],
    [east, south],
  ]);
}

/** The centers of the tiles from one before a corner to some after it, on either axis. */
function* tileCenters([west, south]: Point, count: number): Generator<Point> {
  for (let x = -1; x < count; x++) {
    for (let y = -1; y < count; y++) yield [west + (x + 0.5) * TILE, south + (y + 0.5) * TILE];
  }
}

function starPoints(
  shape: { x: number; y: number; vertices: number; radius: number; spikes: number },
  corner: Point,
): Point[] {
  return Array.from({ length: shape.vertices }, (_, index): Point => {
    const angle = (2 * Math.PI * index) / shape.vertices;
    const radius = shape.radius * (0.7 + 0.3 * Math.cos(angle * shape.spikes));
    return [
      Math.round(corner[0] + shape.x + radius * Math.cos(angle)),
      Math.round(corner[1] + shape.y + radius * Math.sin(angle)),
    ];
  });
}

describe('tiles that share their borders', () => {
  it('leave no gap: every point of the whole is in the least of the tiles that touch it, on every opening', () => {
    const withOutlines = outlineWriter();
    const tilesAcross = 4;
    const step = 9;
    const jitters = fc.array(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 })), {
      minLength: (tilesAcross + 1) ** 2,
      maxLength: (tilesAcross + 1) ** 2,
    });
    const corner: Point = [100 * TILE - WEST - 2 * step, 250 * TILE - SOUTH - 2 * step];
    const property = fc.property(jitters, (moves) => {
      const vertex = (column: number, row: number): Point => {
        const onRim = column % tilesAcross === 0 || row % tilesAcross === 0;
        const [dx, dy] = onRim ? [0, 0] : (moves[row * (tilesAcross + 1) + column] ?? [0, 0]);
        return [corner[0] + column * step + dx, corner[1] + row * step + dy];
      };
      const outlines: Int32Array[][] = [];
      for (let row = 0; row < tilesAcross; row++) {
        for (let column = 0; column < tilesAcross; column++) {
          const [west, south] = [column, row];
          outlines.push([
            ring([vertex(west, south), vertex(west, south + 1), vertex(west + 1, south + 1), vertex(west + 1, south)]),
          ]);
        }
      }
      const whole: Point[] = [];
      for (let x = 0; x <= tilesAcross * step; x++) {
        for (let y = 0; y <= tilesAcross * step; y++) whole.push([corner[0] + x, corner[1] + y]);
      }
      withOutlines(outlines, (file) => {
        expect(whole.filter((point) => locate(file, point) < 0)).toEqual([]);
        expectAsScanned(outlines, file, whole);
        const again = whole.map((point) => locate(file, point));
        withOutlines(outlines, (reopened) => {
          expect(whole.map((point) => locate(reopened, point))).toEqual(again);
        });
      });
    });
    fc.assert(property, { numRuns: 12 });
  });
});

describe('outlines', () => {
  it('are kept at full resolution, each vertex within 1e-7 degrees of the shapefile’s', async () => {
    const withOutlines = outlineWriter();
    const offset = fc.tuple(evenly(0, 1), evenly(0, 1));
    const offsets = fc.uniqueArray(offset, {
      minLength: 3,
      maxLength: 40,
      selector: ([lng, lat]) => `${quantize(lng)} ${quantize(lat)}`,
    });
    // Anywhere, but no larger than a county: the long edges of larger ones touch very many cells.
    const property = fc.asyncProperty(evenly(-179.9, -66), evenly(-14, 71), offsets, async (west, south, within) => {
      const points = within.map(([lng, lat]): LngLat => [west + lng, south + lat]);
      const closed: LngLat[] = [...points, points[0] ?? [0, 0]];
      // One without area is no outline.
      fc.pre(signedArea(Int32Array.from(closed.flat(), quantize)) !== 0);
      const rings: Int32Array[] = [];
      await readShp(
        fakeFile('a.shp', shpFile([[closed]])),
        () => true,
        (_, shape) => {
          if ('rings' in shape) rings.push(...shape.rings);
        },
      );
      withOutlines([rings], (file) => {
        const [kept] = file.rings(0);
        expect(kept).toHaveLength(closed.length * 2);
        const errors = closed
          .flat()
          .map((degrees, index) => Math.abs((kept?.[index] ?? 0) / UNITS_PER_DEGREE - degrees));
        expect(Math.max(...errors)).toBeLessThanOrEqual(1e-7);
      });
    });
    await fc.assert(property, { numRuns: 25 });
  });
});
