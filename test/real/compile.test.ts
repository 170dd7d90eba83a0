import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Papa from 'papaparse';
import { read as readShapefile } from 'shapefile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generationPath } from '../../src/catalog/directory/generations.js';
import { quantize } from '../../src/core/coordinates.js';
import { geoidToNumber } from '../../src/core/geoid.js';
import { roundTo } from '../../src/core/rounding.js';
import { type Dataset, openDataset } from '../../src/format/dataset.js';
import { geoidOf } from '../support/layers.js';
import { type LoadOutcome, load } from '../support/loading.js';
import { naiveLocateOnGlobe } from '../support/naive-locate.js';
import { realDataDir } from '../support/real-data.js';
import { unzip } from '../support/unzip.js';

const dataDir = realDataDir('compile of real files');
const raw = (...path: string[]): string => join(dataDir ?? '', 'raw', ...path);

const STATES = ['02', '10', '11', '44'];
const SHAPEFILES = ['tl_2020_02_tract20', 'tl_2020_10_tract', 'tl_2020_11_tract20', 'tl_2020_44_tract20'];
/** The Aleutian tract that lies on both sides of the antimeridian. */
const ALEUTIAN = '02016000100';

interface Row {
  readonly [column: string]: string;
}

const table = (text: string): Row[] =>
  Papa.parse<Row>(text.replace(/^\uFEFF/, ''), { header: true, delimiter: ',', skipEmptyLines: true }).data;

/** A value as the files write it: -999 and nothing are missing. */
const published = (text: string | undefined): number | null =>
  text === undefined || text === '' || Number(text) === -999 ? null : Number(text);

let root = '';
let outcome: LoadOutcome;
let dataset: Dataset;

function rowOf(geoid: string): number {
  return dataset.tracts.geoids.indexOf(geoidToNumber(geoidOf(geoid)));
}

/** A tract's record as it is served; undefined where the dataset has no such tract. */
function recordOf(geoid: string): Record<string, unknown> | undefined {
  const row = rowOf(geoid);
  return row < 0 ? undefined : JSON.parse(dataset.tracts.records.text(row));
}

beforeAll(async () => {
  if (dataDir === undefined) return;
  root = mkdtempSync(join(tmpdir(), 'tract-context-'));
  // Only what these states need of the outlines, so that the test stays quick.
  mkdirSync(join(root, 'tiger'));
  for (const name of SHAPEFILES) symlinkSync(raw('tiger', `${name}.zip`), join(root, 'tiger', `${name}.zip`));
  symlinkSync(raw('tiger', 'cb_2020_10_tract_500k.zip'), join(root, 'tiger', 'cb_2020_10_tract_500k.zip'));
  mkdirSync(join(root, 'acs'));
  symlinkSync(raw('acs', 'DC_S1701_2021.zip'), join(root, 'acs', 'DC_S1701_2021.zip'));
  outcome = await load({
    inputDirs: [
      join(root, 'tiger'),
      join(root, 'acs'),
      ...['gazetteer', 'cenpop', 'svi/2020', 'ejscreen/2023'].map((name) => raw(name)),
    ],
    outputDir: join(root, 'out'),
    filter: { states: new Set(STATES), territories: false },
  });
  if (!outcome.published) throw outcome.error;
  dataset = openDataset(generationPath(join(root, 'out'), outcome.published.generation));
});

afterAll(() => {
  dataset?.release();
  rmSync(root, { recursive: true, force: true });
});

describe.skipIf(dataDir === undefined)('four real states', () => {
  it('have every tract of the gazetteer, and all rows accounted for, none rejected', async () => {
    const [gazetteer] = (await unzip(raw('gazetteer', '2023_Gaz_tracts_national.zip'))).values();
    const text = String(gazetteer);
    const geoids = text
      .split('\n')
      .flatMap((line) => line.split('\t')[1] ?? [])
      .filter((geoid) => STATES.includes(geoid.slice(0, 2)));
    expect([...dataset.tracts.geoids]).toEqual(geoids.map(Number).sort((a, b) => a - b));
    for (const product of outcome.published?.report.products ?? []) {
      const leftOut = Object.values(product.leftOut).reduce((sum, count) => sum + count, 0);
      expect([product.product, product.rejected, product.kept + leftOut]).toEqual([product.product, {}, product.read]);
    }
  });

  it('have the better outline where two products hold the same tract, and say so', () => {
    const cb = outcome.published?.report.products.find(({ product }) => product.startsWith('Cartographic'));
    expect(cb).toMatchObject({ kept: 0, leftOut: { 'better outline in TIGER/Line 2020': cb?.read } });
  });

  it.each(['Delaware', 'RhodeIsland'])('have SVI’s ranks as %s.csv publishes them', (state) => {
    const rows = table(readFileSync(raw('svi', '2020', `${state}.csv`), 'utf8'));
    expect(rows.length).toBeGreaterThan(200);
    for (const row of rows) {
      // Delaware's file calls the column GEOID.
      const geoid = row.FIPS ?? row.GEOID ?? '';
      expect([geoid, recordOf(geoid)?.svi_themes]).toEqual([
        geoid,
        {
          rpl_theme1: published(row.RPL_THEME1),
          rpl_theme2: published(row.RPL_THEME2),
          rpl_theme3: published(row.RPL_THEME3),
          rpl_theme4: published(row.RPL_THEME4),
          rpl_themes: published(row.RPL_THEMES),
        },
      ]);
    }
  });

  it('have EJScreen’s values as published, lead paint as a percentage', () => {
    const rows = table(
      gunzipSync(readFileSync(raw('ejscreen', '2023', 'EJSCREEN_2023_Tracts_StatePct.csv.gz'))).toString(),
    );
    const wanted = rows.filter(({ ID }) => STATES.includes((ID ?? '').slice(0, 2)));
    expect(wanted.length).toBeGreaterThan(800);
    for (const row of wanted) {
      const lead = published(row.PRE1960PCT);
      expect([row.ID, recordOf(row.ID ?? '')?.epa_data]).toEqual([
        row.ID,
        {
          pm25: published(row.PM25),
          ozone: published(row.OZONE),
          diesel_pm: published(row.DSLPM),
          air_toxics_cancer_risk: published(row.CANCER),
          respiratory_hazard_index: published(row.RESP),
          traffic_proximity: published(row.PTRAF),
          lead_paint_pct: lead === null ? null : roundTo(lead * 100, 6),
          superfund_proximity: published(row.PNPL),
          rmp_proximity: published(row.PRMP),
          hazardous_waste_proximity: published(row.PTSDF),
          wastewater_discharge: published(row.PWDIS),
          _source: 'EPA EJScreen 2023',
        },
      ]);
    }
  });

  it('have the census count as population, where no ACS gives one', () => {
    const rows = table(readFileSync(raw('cenpop', 'CenPop2020_Mean_TR.txt'), 'utf8'));
    const wanted = rows.filter(({ STATEFP }) => STATES.includes(STATEFP ?? ''));
    expect(wanted.length).toBeGreaterThan(800);
    for (const row of wanted) {
      const geoid = `${row.STATEFP}${row.COUNTYFP}${row.TRACTCE}`;
      expect([geoid, recordOf(geoid)?.total_population]).toEqual([geoid, Number(row.POPULATION)]);
    }
  });

  it('have DC’s poverty rate out of S1701’s counts, and no other demographic figure', async () => {
    const csv = (await unzip(raw('acs', 'DC_S1701_2021.zip'))).get('ACSST5Y2021.S1701-Data.csv');
    const rows = table(String(csv)).filter(({ GEO_ID }) => GEO_ID?.startsWith('1400000US11'));
    expect(rows).toHaveLength(206);
    for (const row of rows) {
      const [all, poor] = [Number(row.S1701_C01_001E), Number(row.S1701_C02_001E)];
      const record = recordOf((row.GEO_ID ?? '').slice(9));
      expect([row.GEO_ID, record?.poverty_rate, record?.median_age]).toEqual([
        row.GEO_ID,
        all > 0 ? roundTo((poor / all) * 100, 2) : null,
        null,
      ]);
    }
  });
});

function bytesOf(members: ReadonlyMap<string, Buffer>, name: string): Uint8Array {
  return members.get(name) ?? new Uint8Array();
}

/** The raw shapefiles’ rings by row, parsed by another program and taken to whole 1e-7 degrees. */
async function rawOutlines(): Promise<number[][][]> {
  const outlines: number[][][] = Array.from(dataset.tracts.geoids, () => []);
  for (const name of SHAPEFILES) {
    const members = await unzip(raw('tiger', `${name}.zip`));
    const { features } = await readShapefile(bytesOf(members, `${name}.shp`), bytesOf(members, `${name}.dbf`));
    for (const { geometry, properties } of features) {
      const row = rowOf(String(properties?.GEOID ?? properties?.GEOID20));
      const polygons =
        geometry.type === 'Polygon'
          ? [geometry.coordinates]
          : geometry.type === 'MultiPolygon'
            ? geometry.coordinates
            : [];
      outlines[row] = polygons.flat().map((ring) => ring.flat().map(quantize));
    }
  }
  return outlines;
}

describe.skipIf(dataDir === undefined)('locating in four real states', () => {
  let outlines: number[][][] = [];
  let boxes: number[][] = [];
  beforeAll(async () => {
    outlines = await rawOutlines();
    boxes = outlines.map((rings) => {
      const box = [
        Number.POSITIVE_INFINITY,
        Number.POSITIVE_INFINITY,
        Number.NEGATIVE_INFINITY,
        Number.NEGATIVE_INFINITY,
      ];
      for (const ring of rings) {
        ring.forEach((value, at) => {
          box[at % 2] = Math.min(box[at % 2] ?? value, value);
          box[2 + (at % 2)] = Math.max(box[2 + (at % 2)] ?? value, value);
        });
      }
      return box;
    });
  });

  /** The scan over all rows; a box only spares looking at rows that are elsewhere altogether. */
  const scan = (x: number, y: number): number => {
    const near = outlines.map((rings, row) => {
      const [minX = 0, minY = 0, maxX = 0, maxY = 0] = boxes[row] ?? [];
      const isIn = (at: number): boolean => at >= minX && at <= maxX && y >= minY && y <= maxY;
      return isIn(x) || (Math.abs(x) === 1_800_000_000 && isIn(-x)) ? rings : [];
    });
    return naiveLocateOnGlobe(near, x, y);
  };
  const expectAsScanned = (x: number, y: number): number => {
    const found = dataset.outlines.locate({ lat: y / 1e7, lng: x / 1e7 });
    if (found !== scan(x, y)) expect.fail(`at ${x}, ${y}: row ${found}, by scan ${scan(x, y)}`);
    return found;
  };

  it('answers 2,000 random points as a scan over the raw shapefiles does', () => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    console.log(`random points of seed ${seed}`);
    let state = seed;
    const random = (): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    let inside = 0;
    for (let point = 0; point < 2000; point++) {
      // Around a tract taken at random, so that many points are near borders.
      const [minX = 0, minY = 0, maxX = 0, maxY = 0] = boxes[Math.floor(random() * boxes.length)] ?? [];
      if (!Number.isFinite(minX)) continue;
      const x = Math.round(minX + (maxX - minX) * random());
      const y = Math.round(minY + (maxY - minY) * random());
      if (expectAsScanned(x, y) >= 0) inside++;
    }
    expect(inside).toBeGreaterThan(1000);
  });

  it('answers vertices, which lie in several tracts at once, with the least GEOID of them', () => {
    let vertices = 0;
    for (const [row, rings] of outlines.entries()) {
      const [ring = []] = rings;
      const at = 2 * (row % Math.max(1, ring.length / 2));
      if (ring.length === 0) continue;
      expect(expectAsScanned(ring[at] ?? 0, ring[at + 1] ?? 0)).toBeLessThanOrEqual(row);
      vertices++;
    }
    expect(vertices).toBeGreaterThan(800);
  });

  it('finds the Aleutian tract on both sides of the antimeridian, and answers alike for both names of the line', () => {
    const row = rowOf(ALEUTIAN);
    const ring = (outlines[row] ?? []).flat();
    const xs = ring.filter((_, at) => at % 2 === 0);
    expect([xs.some((x) => x > 1_700_000_000), xs.some((x) => x < -1_700_000_000)]).toEqual([true, true]);
    const found = { east: 0, west: 0 };
    for (const [minLng, side] of [
      [172, 'east'],
      [-180, 'west'],
    ] as const) {
      for (let step = 0; step < 400; step++) {
        const at = { lat: 51 + (step % 20) * 0.1, lng: minLng + Math.floor(step / 20) * 0.4 };
        if (expectAsScanned(quantize(at.lng), quantize(at.lat)) === row) found[side]++;
      }
    }
    expect(found.east).toBeGreaterThan(0);
    expect(found.west).toBeGreaterThan(0);
    // Its waters end short of the line itself: there, too, both names of a point have one answer.
    for (let y = 500_000_000; y <= 550_000_000; y += 125_000) {
      expect(expectAsScanned(1_800_000_000, y)).toBe(expectAsScanned(-1_800_000_000, y));
    }
  });
});
