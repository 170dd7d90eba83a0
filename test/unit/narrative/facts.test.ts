import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { COMPARED_METRICS, METRICS, metricIndex, TREND_METRICS } from '../../../src/core/metrics.js';
import { SCOPES } from '../../../src/core/scopes.js';
import { STATES } from '../../../src/core/states.js';
import { type Dataset, openDataset } from '../../../src/format/dataset.js';
import type { DatasetDescription, ProvenanceEntry } from '../../../src/format/description.js';
import { computeDistributions } from '../../../src/format/distributions.js';
import { NO_RANK } from '../../../src/format/tracts-file.js';
import { type FactsDataset, tractFacts } from '../../../src/narrative/facts.js';
import type { Figure } from '../../../src/narrative/figures.js';
import { createNarrator } from '../../../src/narrative/narrator.js';
import { sendJson, startFakeServer } from '../../support/fake-server.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset, TINY_TRACTS } from '../../support/tiny-dataset.js';
import { anthropicAnswer } from './fake-provider.js';

function openTiny(): Dataset {
  const directory = temporaryDirectory();
  const generation = publishTinyDataset(directory);
  const dataset = openDataset(join(directory, 'generations', generation));
  onTestFinished(() => dataset.release());
  return dataset;
}

/** The facts about a tract, with what an altered dataset would have stored of its values. */
const factsOf = (dataset: FactsDataset, row: number) =>
  tractFacts(withTracts(dataset, { distributions: () => computeDistributions(dataset.tracts) }), row);
const figureOf = (dataset: FactsDataset, row: number, path: string): Figure | undefined =>
  factsOf(dataset, row).figures.find(({ metric }) => metric === path);

/** The dataset with another part of its tracts file. */
const withTracts = (dataset: FactsDataset, more: Partial<FactsDataset['tracts']>): FactsDataset => ({
  generation: dataset.generation,
  tracts: { ...dataset.tracts, ...more },
});
const describedBy = (dataset: FactsDataset, more: Partial<DatasetDescription>): FactsDataset =>
  withTracts(dataset, { description: { ...dataset.tracts.description, ...more } });

/** The dataset with values that every tract has, but for the rows in which a metric is missing. */
function withValues(dataset: FactsDataset, missing: Readonly<Record<string, readonly number[]>> = {}): FactsDataset {
  const values = METRICS.map(({ path }) => {
    const column = Float64Array.from(TINY_TRACTS, (_, row) => row + 1);
    for (const row of missing[path] ?? []) column[row] = Number.NaN;
    return column;
  });
  const averages = (areas: number) => new Float64Array(areas * COMPARED_METRICS.length);
  return withTracts(dataset, {
    values,
    averages: { county: averages(3), state: averages(STATES.length), national: averages(1) },
  });
}

/** The 50 states and DC, by name. */
const ALL_STATES = STATES.map(({ fips, name }) => ({ fips, name, firstRow: 0, tractCount: TINY_TRACTS.length }));

const provenance = (more: Partial<ProvenanceEntry>): ProvenanceEntry => ({
  ...{ stateFips: '27', section: 'places_measures', metrics: ['places_measures.diabetes'], source: 'places' },
  ...{ label: 'CDC PLACES 2023', year: 2023, tractVintage: 2020, stateRanked: false, tractCount: 20 },
  ...more,
});

test('the facts hold every value of the row, and null for the missing', () => {
  const dataset = openTiny();
  for (const row of [0, 11, 29]) {
    const facts = factsOf(dataset, row);
    const expected = TINY_TRACTS[row]?.values.map((value) => (Number.isNaN(value) ? null : value));
    expect(facts.figures.map(({ value }) => value)).toEqual(expected);
    expect(facts.figures.map(({ metric }) => metric)).toEqual(METRICS.map(({ path }) => path));
    expect(facts).toMatchObject({
      generation: dataset.generation,
      geoid: TINY_TRACTS[row]?.geoid,
      name: TINY_TRACTS[row]?.name,
      synthetic: true,
    });
  }
});

test('the county and the state are those that the tract lies in', () => {
  const facts = factsOf(openTiny(), 12);
  expect([facts.county, facts.state]).toEqual(['Doña Quadra County', 'Minnesota']);
});

test('stored ranks and averages are those of the row, metric and scope', () => {
  const dataset = openTiny();
  const width = COMPARED_METRICS.length;
  // Each number tells its own place, so that a wrong stride cannot pass.
  const ranks = Uint16Array.from({ length: dataset.tracts.tractCount * width * 3 }, (_, at) => at % 1000);
  const averages = {
    county: Float64Array.from({ length: 3 * width }, (_, at) => 100 + at),
    state: Float64Array.from({ length: 2 * width }, (_, at) => 200 + at),
    national: Float64Array.from({ length: width }, (_, at) => 300 + at),
  };
  const row = 23;
  const povertyAt = COMPARED_METRICS.findIndex(({ path }) => path === 'poverty_rate');
  const first = (row * width + povertyAt) * 3;
  ranks[first + 1] = NO_RANK;
  const figure = figureOf(withTracts(withValues(dataset), { ranks, averages }), row, 'poverty_rate');
  expect(figure?.percentiles).toEqual({ county: first / 10, state: null, national: (first + 2) / 10 });
  expect(figure?.averages).toEqual({
    county: 100 + 2 * width + povertyAt,
    state: 200 + width + povertyAt,
    national: 300 + povertyAt,
  });
});

test.each(['places_measures.obesity', 'epa_data.pm25'])('%s is ranked against all tracts of the dataset', (path) => {
  const dataset = openTiny();
  const column = TINY_TRACTS.map(({ values }) => values[metricIndex(path)] ?? Number.NaN);
  const known = column.filter((value) => !Number.isNaN(value));
  const row = column.findIndex((value, at) => at > 20 && !Number.isNaN(value));
  const below = known.filter((value) => value < (column[row] ?? 0)).length;
  const figure = figureOf(dataset, row, path);
  expect(figure?.percentiles).toEqual({
    county: null,
    state: null,
    national: Math.round((below / known.length) * 1000) / 10,
  });
  expect(figure?.averages.national).toBeCloseTo(known.reduce((sum, value) => sum + value, 0) / known.length, 9);
});

test('an SVI rank is a percentile itself: of the nation, or of the state where the file says so', () => {
  const dataset = openTiny();
  const column = new Float64Array(30).fill(0.873);
  const values = METRICS.map(({ path }, at) =>
    path === 'svi_themes.rpl_themes' ? column : (dataset.tracts.values[at] ?? column),
  );
  const svi = withTracts(dataset, { values });
  const inState = describedBy(svi, { provenance: [provenance({ section: 'svi_themes', stateRanked: true })] });
  const path = 'svi_themes.rpl_themes';
  expect(figureOf(svi, 0, path)?.percentiles).toEqual({ county: null, state: null, national: 87.3 });
  expect(figureOf(inState, 0, path)?.percentiles).toEqual({ county: null, state: 87.3, national: null });
  // Neither rounded up, as the text would claim a whole percent more, nor with the noise of a double.
  column[1] = 0.5799;
  expect(figureOf(svi, 1, path)?.percentiles.national).toBe(57.99);
  // Row 25 lies in another state, whose ranks are national.
  expect(figureOf(inState, 25, path)?.percentiles).toEqual({ county: null, state: null, national: 87.3 });
});

test('a dataset of the 50 states and DC is the nation, one without a state is not; SVI ranks always are of the nation', () => {
  const dataset = withValues(openTiny());
  const among = (states: typeof ALL_STATES, path: string) => figureOf(describedBy(dataset, { states }), 0, path)?.among;
  const withoutOhio = ALL_STATES.filter(({ fips }) => fips !== '39');
  for (const { path, section } of METRICS) {
    expect(among(ALL_STATES, path)).toBe('nation');
    expect(among(withoutOhio, path)).toBe(section === 'svi_themes' ? 'nation' : 'dataset');
  }
});

test('of a metric that some tracts lack, nothing is told of the nation, and of county and state only where they have it', () => {
  const dataset = openTiny();
  // Two tracts of the first county lack it, and all of another state; the second county has it.
  const missing = { poverty_rate: [...TINY_TRACTS.keys()].filter((row) => row === 3 || row === 7 || row >= 20) };
  const states = ALL_STATES.map((state) => (state.fips === '27' ? { ...state, tractCount: 20 } : state));
  const partial = describedBy(withValues(dataset, missing), { states });
  const told = (row: number, path: string) => {
    const { averages, percentiles, among } = figureOf(partial, row, path) ?? {};
    const scopes = Object.entries(averages ?? {}).flatMap(([scope, value]) => (value === null ? [] : [scope]));
    expect(Object.values(percentiles ?? {}).map((rank) => rank === null)).toEqual(
      Object.values(averages ?? {}).map((average) => average === null),
    );
    return { scopes, among };
  };
  expect(told(0, 'poverty_rate')).toEqual({ scopes: ['national'], among: 'known' });
  expect(told(12, 'poverty_rate')).toEqual({ scopes: ['county', 'national'], among: 'known' });
  expect(told(0, 'uninsured_rate')).toEqual({ scopes: ['county', 'state', 'national'], among: 'nation' });
});

test('a tract is not compared with a county or state of fewer than ten tracts', () => {
  const dataset = withValues(openTiny());
  const { counties, states } = dataset.tracts.description;
  const comparedWith = (ofCounty: number, ofState: number) => {
    const sized = describedBy(dataset, {
      counties: counties.map((area) => ({ ...area, tractCount: ofCounty })),
      states: states.map((area) => ({ ...area, tractCount: ofState })),
    });
    const { percentiles, averages } = figureOf(sized, 0, 'poverty_rate') ?? {};
    return [percentiles, averages].map((numbers) => SCOPES.filter((scope) => typeof numbers?.[scope] === 'number'));
  };
  expect(comparedWith(9, 10)).toEqual([
    ['state', 'national'],
    ['state', 'national'],
  ]);
  expect(comparedWith(10, 9)).toEqual([
    ['county', 'national'],
    ['county', 'national'],
  ]);
});

test('a metric that hardly any tract has is not ranked at all', () => {
  const rows = [...TINY_TRACTS.keys()];
  const path = 'places_measures.obesity';
  const national = (tracts: number) =>
    figureOf(withValues(openTiny(), { [path]: rows.slice(tracts) }), 0, path)?.percentiles.national;
  expect([national(9), national(10)]).toEqual([null, 0]);
});

test('environmental values of several EJScreen releases are ranked within the state, unless one alone has the metric', () => {
  const epa = (stateFips: string, year: number, ...metrics: string[]): ProvenanceEntry =>
    provenance({ source: 'ejscreen', section: 'epa_data', label: `EPA EJScreen ${year}`, stateFips, year, metrics });
  const dataset = withValues(openTiny());
  const nationalRank = (path: string, entries: readonly ProvenanceEntry[]) =>
    figureOf(describedBy(dataset, { provenance: entries }), 15, path)?.percentiles.national;
  const [traffic, cancer] = ['epa_data.traffic_proximity', 'epa_data.air_toxics_cancer_risk'];
  const mixed = [epa('27', 2024, traffic), epa('55', 2023, traffic, cancer)];
  expect([nationalRank(traffic, mixed), nationalRank(cancer, mixed)]).toEqual([null, 50]);
  expect(nationalRank(traffic, [epa('27', 2023, traffic), epa('55', 2023, traffic)])).toBe(50);
  const states = [...dataset.tracts.description.states];
  const figureIn = (values: FactsDataset, row: number) =>
    figureOf(describedBy(values, { provenance: mixed, states }), row, traffic);
  // The second state's ten tracts are the last; all others have lower values.
  expect(figureIn(dataset, 25)).toEqual({
    metric: traffic,
    value: 26,
    percentiles: { county: null, state: 50, national: null },
    averages: { county: null, state: null, national: null },
    among: 'known',
  });
  // Too many of the state's tracts lack it, or are not there.
  expect(figureIn(withValues(openTiny(), { [traffic]: [0, 1] }), 15)?.percentiles.state).toBeNull();
  const few = describedBy(dataset, { provenance: mixed, states: states.map((state) => ({ ...state, tractCount: 9 })) });
  expect(figureOf(few, 5, traffic)?.percentiles.state).toBeNull();
  // PLACES measures the same in every release.
  const places = [provenance({ year: 2023 }), provenance({ year: 2024, stateFips: '55' })];
  expect(nationalRank('places_measures.diabetes', places)).toBe(50);
});

test("the sources are those of the state's metrics that the tract has, with their span of years", () => {
  const tiny = withValues(openTiny(), { 'places_measures.obesity': [1], 'places_measures.diabetes': [2] });
  const dataset = describedBy(tiny, {
    provenance: [
      provenance({ year: 2023 }),
      provenance({ year: 2021, metrics: ['places_measures.obesity'] }),
      provenance({ source: 'ejscreen', section: 'epa_data', metrics: ['epa_data.pm25'], stateFips: '55' }),
    ],
  });
  const product = 'CDC PLACES';
  expect([0, 1, 2].map((row) => factsOf(dataset, row).sources)).toEqual([
    [{ product, firstYear: 2021, lastYear: 2023 }],
    [{ product, firstYear: 2023, lastYear: 2023 }],
    [{ product, firstYear: 2021, lastYear: 2021 }],
  ]);
});

test('a state that has its population in part from the survey names for each tract the one that its own is of', () => {
  const metrics = ['total_population'];
  const survey = provenance({ source: 'acs', section: 'demographics', metrics, year: 2023 });
  const census = provenance({ source: 'cenpop', section: 'demographics', metrics, year: 2020 });
  const width = TREND_METRICS.length;
  const trendValues = new Float64Array(TINY_TRACTS.length * 2 * width).fill(Number.NaN);
  // Row 0 was surveyed in both years, row 1 in the earlier one alone.
  for (const entry of [0, 1, 2]) trendValues[entry * width] = 4000;
  const tracts = { ...withValues(openTiny()).tracts, trendYears: Uint16Array.of(2019, 2023), trendValues };
  const sourcesAt = (row: number, entries: ProvenanceEntry[]) =>
    factsOf(describedBy({ generation: 'g', tracts }, { provenance: entries }), row).sources;
  const surveyed = { product: 'Census Bureau American Community Survey', firstYear: 2023, lastYear: 2023 };
  const counted = { product: 'Census Bureau population count', firstYear: 2020, lastYear: 2020 };

  expect(sourcesAt(0, [survey, census])).toEqual([surveyed]);
  expect(sourcesAt(1, [survey, census])).toEqual([counted]);
  const income = { ...survey, metrics: ['median_household_income'], year: 2022 };
  expect(sourcesAt(1, [survey, income, census])).toEqual([{ ...surveyed, firstYear: 2022, lastYear: 2022 }, counted]);
  expect(sourcesAt(0, [census])).toEqual([counted]);
});

test('neither the facts nor the whole request to a provider hold a coordinate, an address or the key', async () => {
  const dataset = openTiny();
  const facts = factsOf(dataset, 17);
  const fake = await startFakeServer((response) => sendJson(response, anthropicAnswer('A text.')));
  const options = { provider: 'anthropic', model: 'm', apiKey: 'the-key', baseUrl: fake.url, fetch } as const;
  await createNarrator({
    ...options,
    timeoutMs: 10_000,
    maxConcurrent: 1,
    now: () => 0,
    closing: new AbortController().signal,
  }).summarize(facts);
  const { lat, lng } = TINY_TRACTS[17] ?? { lat: 0, lng: 0 };
  const body = fake.requests[0]?.body ?? '';
  expect(body).toContain(facts.name);
  for (const text of [JSON.stringify(facts), body]) {
    expect(text).not.toContain(String(lat));
    expect(text).not.toContain(String(lng));
    expect(text).not.toContain('the-key');
    expect(text).not.toMatch(/\b(lat|lng|address|latitude|longitude|location|coordinates?)\b/i);
  }
});

test('an unaltered dataset has stored what is computed from its values', () => {
  const dataset = openTiny();
  for (const row of [0, 11, 29]) expect(tractFacts(dataset, row)).toEqual(factsOf(dataset, row));
});
