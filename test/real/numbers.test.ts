import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMPARED_METRICS } from '../../src/core/metrics.js';
import { comparisonSchema, rankingsSchema, trendsSchema } from '../../src/http/schemas/comparisons.js';
import { coverageSchema } from '../../src/http/schemas/reference.js';
import { runCli } from '../support/cli.js';
import { type NaiveNation, naiveAverage, naiveNation, naivePercentile } from '../support/naive-nation.js';
import { realDataDir } from '../support/real-data.js';
import { type ServiceProcess, startService } from '../support/service-process.js';

const dataDir = realDataDir('numbers over HTTP');
const raw = join(dataDir ?? '', 'raw');
/** DC, New York, Texas: between them they have every kind of ACS file at hand. */
const STATES = ['11', '36', '48'] as const;
const INPUTS = [
  ['gazetteer', '2023_Gaz_tracts_national.zip'],
  ['cenpop', 'CenPop2020_Mean_TR.txt'],
  ['acs', 'DC_S1701_2021.zip'],
  ['acs', 'NY_2022.zip'],
  ['acs', 'TX_Bexar_2021.zip'],
  ['acs/US_B19013_2022_dat_DC_excerpt', 'acsdt5y2022-b19013.DC-tracts-excerpt.dat'],
  ['svi/2022', 'NewYork.csv'],
] as const;
/** Half of the last of four decimals, and a little for the sum's own rounding. */
const FOUR_DECIMALS = 0.000_050_1;

let root = '';
let service: ServiceProcess;
let nation: NaiveNation;

beforeAll(async () => {
  if (dataDir === undefined) return;
  root = mkdtempSync(join(tmpdir(), 'tract-context-'));
  for (const [directory, name] of INPUTS) {
    mkdirSync(join(root, 'in', directory), { recursive: true });
    symlinkSync(join(raw, directory, name), join(root, 'in', directory, name));
  }
  const out = join(root, 'out');
  const compiled = await runCli('compile', '--input', join(root, 'in'), '--output', out, '--states', STATES.join());
  if (compiled.code !== 0) throw new Error(compiled.stderr);
  [service, nation] = await Promise.all([startService(out), naiveNation({ raw, states: STATES })]);
}, 240_000);

afterAll(async () => {
  service?.signal('SIGTERM');
  await service?.exited;
  if (root) rmSync(root, { recursive: true, force: true });
});

const get = async (path: string): Promise<unknown> => (await service.fetch(path)).json();

/** Every tract with an index, all of DC, and every 40th of the others. */
function sample(): string[] {
  const { geoids, columns } = nation;
  return geoids.filter((geoid, at) => columns.sdoh_index?.has(geoid) || geoid.startsWith('11') || at % 40 === 0);
}

const areas = new Map<string, readonly string[]>();

/** The tracts of a county or state, by the beginning of their GEOIDs. */
function areaOf(prefix: string): readonly string[] {
  const area = areas.get(prefix) ?? nation.geoids.filter((geoid) => geoid.startsWith(prefix));
  areas.set(prefix, area);
  return area;
}

const scopesOf = (geoid: string): readonly (readonly [string, readonly string[]])[] => [
  ['county', areaOf(geoid.slice(0, 5))],
  ['state', areaOf(geoid.slice(0, 2))],
  ['national', nation.geoids],
];

function expectNear(actual: number | null, expected: number | null, what: string): void {
  if (actual === null || expected === null) expect(actual, what).toBe(expected);
  else expect(Math.abs(actual - expected), what).toBeLessThanOrEqual(FOUR_DECIMALS);
}

describe.skipIf(dataDir === undefined)('three real states over HTTP, against the input files', () => {
  test('totals: states and tracts', async () => {
    const { total_states, total_tracts, states } = coverageSchema.parse(await get('/v1/stats'));
    expect([total_states, total_tracts]).toEqual([STATES.length, nation.geoids.length]);
    expect(states).toEqual(
      STATES.map((fips) => ({
        state_fips: fips,
        tract_count: nation.geoids.filter((geoid) => geoid.startsWith(fips)).length,
      })),
    );
  });

  test('values, the index among them', async () => {
    const withIndex = sample().filter((geoid) => nation.columns.sdoh_index?.has(geoid));
    expect(withIndex.length).toBeGreaterThan(100);
    for (const geoid of sample()) {
      const record = Object(await get(`/v1/tracts/${geoid}`));
      for (const { key } of COMPARED_METRICS) {
        const expected = nation.columns[key]?.get(geoid) ?? null;
        if (key === 'sdoh_index') expectNear(record[key], expected, `${geoid} ${key}`);
        else expect(record[key], `${geoid} ${key}`).toBe(expected);
      }
    }
  });

  test('percentiles and averages in county, state and nation', async () => {
    for (const geoid of sample().filter((_, at) => at % 8 === 0)) {
      const { rankings, averages } = rankingsSchema.parse(await get(`/v1/demographics/compare?geoid=${geoid}`));
      for (const [scope, members] of scopesOf(geoid)) {
        for (const { key } of COMPARED_METRICS) {
          const column = nation.columns[key] ?? new Map();
          const ranking = rankings.find(({ metric }) => metric === key);
          const average = averages.find(({ metric }) => metric === key);
          const what = `${geoid} ${key} ${scope}`;
          expect(Reflect.get(ranking ?? {}, `${scope}_percentile`), what).toBe(naivePercentile(column, members, geoid));
          expectNear(Reflect.get(average ?? {}, `${scope}_avg`), naiveAverage(column, members), what);
        }
      }
    }
  });

  test('differences between tracts, and from averages', async () => {
    const picked = sample().filter((_, at) => at % 12 === 0);
    for (const [at, geoid] of picked.entries()) {
      const other = picked[(at + 1) % picked.length] ?? geoid;
      const pair = comparisonSchema.parse(await get(`/v1/compare?geoid1=${geoid}&geoid2=${other}`));
      const [scope, members] = scopesOf(geoid)[at % 3] ?? ['national', nation.geoids];
      const area = comparisonSchema.parse(await get(`/v1/compare?geoid1=${geoid}&compare_to=${scope}`));
      for (const { key } of COMPARED_METRICS) {
        const column = nation.columns[key] ?? new Map<string, number>();
        const minus = (subtrahend: number | null | undefined): number | null =>
          subtrahend === undefined || subtrahend === null ? null : (column.get(geoid) ?? Number.NaN) - subtrahend;
        const orNull = (value: number | null): number | null => (Number.isNaN(value) ? null : value);
        expectNear(pair.differences[key] ?? null, orNull(minus(column.get(other))), `${geoid} − ${other} ${key}`);
        // The average that is subtracted is shown with four decimals, and so may be off as well.
        const expected = orNull(minus(naiveAverage(column, members)));
        const actual = area.differences[key] ?? null;
        if (actual === null || expected === null) expect(actual).toBe(expected);
        else expect(Math.abs(actual - expected)).toBeLessThanOrEqual(2 * FOUR_DECIMALS);
      }
    }
  });

  test('changes: none where a metric has one year, as in all of these files', async () => {
    for (const geoid of sample().filter((_, at) => at % 40 === 0)) {
      const { years, changes } = trendsSchema.parse(await get(`/v1/trends?geoid=${geoid}`));
      expect(years.length).toBeGreaterThanOrEqual(1);
      for (const { metric, ...change } of changes) {
        const known = years.filter((year) => Reflect.get(year, metric) !== null);
        expect(known.length, `${geoid} ${metric}`).toBeLessThan(2);
        expect(Object.values(change), `${geoid} ${metric}`).toEqual([null, null, null, null, null, null]);
      }
    }
  });
});
