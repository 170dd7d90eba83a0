import { describe, expect, it } from 'vitest';
import { metricIndex } from '../../../src/core/metrics.js';
import { Intake } from '../../../src/load/intake/intake.js';
import type { Layer, LayerKey } from '../../../src/load/intake/layer.js';
import { createBridge } from '../../../src/load/join/bridge.js';
import { type JoinedTracts, joinLayers } from '../../../src/load/join/join.js';
import { knownTracts } from '../../../src/load/join/known-tracts.js';
import { geoidOf, layerOf, tractOf } from '../../support/layers.js';

const DE1 = '10001040100';
const DE2 = '10001040200';
const DC1 = '11001000101';
const TRACTS = [DE1, DE2, DC1];
const MISSING = Number.NaN;

function join(...layers: Layer[]): JoinedTracts {
  const intake = new Intake({ territories: false });
  for (const layer of layers) intake.addLayer(layer);
  return joinLayers(intake, TRACTS.map(tractOf), createBridge(intake, knownTracts(TRACTS.map(geoidOf))));
}

const column = (joined: JoinedTracts, path: string): number[] => [...(joined.values[metricIndex(path)] ?? [])];

/** A tract's trend value; undefined where the year is not among the trends'. */
function trend(joined: JoinedTracts, geoid: string, year: number, metric: number): number | undefined {
  const at = joined.trendYears.indexOf(year);
  return at < 0 ? undefined : joined.trendValues[(TRACTS.indexOf(geoid) * joined.trendYears.length + at) * 6 + metric];
}

const CENPOP: Partial<LayerKey> = {
  source: 'cenpop',
  table: 'CenPop',
  year: 2020,
  metrics: ['total_population'],
  preference: 2,
};
const B01003: Partial<LayerKey> = { table: 'B01003', metrics: ['total_population'] };
const income = 'median_household_income';

describe('a demographic metric', () => {
  it('comes from the newest year that its state has, state by state', () => {
    const joined = join(layerOf({ [DE1]: [1], [DC1]: [2] }, { year: 2021 }), layerOf({ [DE1]: [3] }, { year: 2022 }));
    expect(column(joined, income)).toEqual([3, MISSING, 2]);
  });

  it('never mixes years within a state: what the newest leaves empty stays so', () => {
    const joined = join(
      layerOf({ [DE1]: [1], [DE2]: [2] }, { year: 2021 }),
      layerOf({ [DE1]: [3], [DE2]: [MISSING] }, { year: 2022 }),
    );
    expect(column(joined, income)).toEqual([3, MISSING, MISSING]);
  });

  it('is reported if the newest year has no row for a tract, but an older one has a value', () => {
    const notesOf = (older: Layer, newer: Layer): unknown[] => {
      join(older, newer);
      return [older, newer].map(({ tally }) => [...tally.notes]);
    };
    const note = 'tract missing from the file that takes precedence: left empty, since years and tables are not mixed';
    const older = (values: Record<string, number[]>): Layer => layerOf(values, { year: 2021 });
    const whole = { [DE1]: [3], [DE2]: [MISSING] };
    expect(notesOf(older({ [DE1]: [1], [DE2]: [2] }), layerOf({ [DE1]: [3] }))).toEqual([[[note, 1]], []]);
    expect(notesOf(older({ [DE1]: [1], [DE2]: [MISSING] }), layerOf({ [DE1]: [3] }))).toEqual([[], []]);
    expect(notesOf(older({ [DE1]: [1], [DE2]: [2] }), layerOf(whole))).toEqual([[], []]);
    expect(notesOf(older({ [DC1]: [1] }), layerOf(whole))).toEqual([[], []]);
    // Another table of the year, too, and not the nearest older year alone.
    expect(notesOf(layerOf({ [DE2]: [2] }, { table: 'DP03', preference: 1 }), layerOf({ [DE1]: [3] }))).toEqual([
      [[note, 1]],
      [],
    ]);
    const oldest = older({ [DE1]: [1], [DE2]: [2] });
    join(oldest, layerOf({ [DE1]: [3] }), layerOf({ [DE1]: [4] }, { year: 2023 }));
    expect([...oldest.tally.notes]).toEqual([[note, 1]]);
    // Of several older files, of the one that would have filled it.
    const [first, second] = [older({ [DE2]: [2] }), layerOf({ [DE2]: [3] }, { year: 2020 })];
    join(second, first, layerOf({ [DE1]: [4] }));
    expect([first, second].map(({ tally }) => [...tally.notes])).toEqual([[[note, 1]], []]);
    // Counted once, however many of the table's metrics it has.
    const metrics = { metrics: [income, 'uninsured_rate'], table: 'DP03' };
    const several = layerOf({ [DE1]: [1, 2], [DE2]: [3, 4] }, { ...metrics, year: 2021 });
    expect(notesOf(several, layerOf({ [DE1]: [5, 6] }, metrics))).toEqual([[[note, 1]], []]);
  });

  it('comes from the detailed table where the year has both, from a newer profile table where not', () => {
    const profile = (year: number): Layer => layerOf({ [DE1]: [9] }, { table: 'DP03', preference: 1, year });
    const detailed = layerOf({ [DE1]: [1] }, { year: 2022 });
    expect(column(join(profile(2022), detailed), income)[0]).toBe(1);
    expect(column(join(profile(2023), detailed), income)[0]).toBe(9);
  });

  it('comes from the profile or subject table with more of the state’s tracts, whichever is read first', () => {
    const county = layerOf({ [DE1]: [1] }, { table: 'DP03', preference: 1 });
    const whole = layerOf({ [DE1]: [1], [DE2]: [2] }, { table: 'S1901', preference: 1 });
    for (const layers of [
      [county, whole],
      [whole, county],
    ]) {
      expect(column(join(...layers), income)).toEqual([1, 2, MISSING]);
    }
  });

  it('is not hidden by a newer file, or one of the preferred table, that was asked for other metrics only', () => {
    const rates = ['unemployment_rate', 'uninsured_rate'];
    const dp03 = (year: number, metrics: readonly string[], ...values: number[]): Layer =>
      layerOf({ [DE1]: values }, { table: 'DP03', preference: 1, year, metrics });
    const subject = layerOf({ [DE1]: [7] }, { table: 'S2701', preference: 1, metrics: ['uninsured_rate'] });
    const older = join(dp03(2021, [income, ...rates], 1, 2, 3), dp03(2022, [income], 9), subject);
    expect([income, ...rates].map((path) => column(older, path)[0])).toEqual([9, 2, 7]);
    expect(older.provenance.map(({ metrics, year }) => [metrics, year])).toEqual([
      [[income], 2022],
      [['uninsured_rate'], 2022],
      [['unemployment_rate'], 2021],
    ]);
  });

  it('is taken state by state where the files of one table hold other metrics of other states', () => {
    const dp03 = (year: number, metrics: readonly string[], rows: Record<string, number[]>): Layer =>
      layerOf(rows, { table: 'DP03', preference: 1, year, metrics });
    const joined = join(
      dp03(2021, [income, 'uninsured_rate'], { [DE1]: [1, 2], [DC1]: [3, 4] }),
      dp03(2022, [income], { [DE1]: [5] }),
      dp03(2022, ['uninsured_rate'], { [DC1]: [6] }),
    );
    expect(column(joined, income)).toEqual([5, MISSING, 3]);
    expect(column(joined, 'uninsured_rate')).toEqual([2, MISSING, 6]);
    expect(trend(joined, DE1, 2022, 1)).toBe(5);
    expect(trend(joined, DC1, 2022, 1)).toBeNaN();
  });

  it('takes its metrics each from its own table’s newest year', () => {
    const joined = join(layerOf({ [DE1]: [1] }, { year: 2021 }), layerOf({ [DE1]: [500] }, { ...B01003, year: 2022 }));
    expect([column(joined, income)[0], column(joined, 'total_population')[0]]).toEqual([1, 500]);
    expect(joined.provenance.map(({ metrics, year }) => [metrics, year])).toEqual([
      [['total_population'], 2022],
      [[income], 2021],
    ]);
  });
});

describe('the census count', () => {
  it('stands in for population only, and only where ACS has none', () => {
    const joined = join(
      layerOf({ [DE1]: [100], [DE2]: [MISSING] }, B01003),
      layerOf({ [DE1]: [1], [DE2]: [2], [DC1]: [3] }, CENPOP),
    );
    expect(column(joined, 'total_population')).toEqual([100, 2, 3]);
    expect(joined.provenance.map(({ stateFips, source, tractCount }) => [stateFips, source, tractCount])).toEqual([
      ['10', 'acs', 1],
      ['10', 'cenpop', 1],
      ['11', 'cenpop', 1],
    ]);
  });

  it('does not take the place of an earlier survey', () => {
    const survey = layerOf({ [DE1]: [100], [DE2]: [MISSING] }, { ...B01003, year: 2019 });
    expect(column(join(survey, layerOf({ [DE1]: [1], [DE2]: [2] }, CENPOP)), 'total_population')).toEqual([
      100,
      2,
      MISSING,
    ]);
  });

  it('of 0 people is a count, not a gap', () => {
    const joined = join(layerOf({ [DE1]: [0] }, B01003), layerOf({ [DE1]: [7] }, CENPOP));
    expect(column(joined, 'total_population')[0]).toBe(0);
  });

  it('is no year of the trends', () => {
    const joined = join(
      layerOf({ [DE1]: [100] }, { ...B01003, year: 2022 }),
      layerOf({ [DE1]: [1], [DC1]: [3] }, CENPOP),
    );
    expect(joined.trendYears).toEqual([2022]);
    expect([trend(joined, DE1, 2022, 0), trend(joined, DC1, 2022, 0)]).toEqual([100, MISSING]);
  });
});

describe('a section', () => {
  const EPA: Partial<LayerKey> = {
    source: 'ejscreen',
    table: 'EJScreen',
    metrics: ['epa_data.pm25', 'epa_data.ozone'],
  };
  const older = layerOf(
    { [DE1]: [7, 40], [DE2]: [8, 41], [DC1]: [9, 42] },
    { ...EPA, year: 2022, label: 'EPA EJScreen 2022' },
  );
  const newer = layerOf({ [DE1]: [5, MISSING] }, { ...EPA, year: 2023, label: 'EPA EJScreen 2023' });
  const joined = join(older, newer);

  it('comes whole from one vintage a state, never filled from an older one', () => {
    expect(column(joined, 'epa_data.pm25')).toEqual([5, MISSING, 9]);
    expect(column(joined, 'epa_data.ozone')).toEqual([MISSING, MISSING, 42]);
  });

  it('is present if its source has a row, even without a value, and names the vintage', () => {
    expect([...(joined.present.get('epa_data') ?? [])]).toEqual([1, 0, 1]);
    expect(joined.epaSource).toEqual(['EPA EJScreen 2023', undefined, 'EPA EJScreen 2022']);
    expect([...(joined.present.get('svi_themes') ?? [])]).toEqual([0, 0, 0]);
  });

  it('comes from an older vintage where the newest has no value, whichever of its columns that has', () => {
    const pm25 = { ...EPA, metrics: ['epa_data.pm25'], year: 2024 };
    const joinedWith = (value: number) => join(older, layerOf({ [DE1]: [value] }, pm25));
    expect(column(joinedWith(MISSING), 'epa_data.ozone')).toEqual([40, 41, 42]);
    expect(column(joinedWith(6), 'epa_data.ozone')).toEqual([MISSING, MISSING, 42]);
  });

  it('of all-missing values is present without provenance', () => {
    const empty = join(layerOf({ [DE1]: [MISSING, MISSING] }, EPA));
    expect([...(empty.present.get('epa_data') ?? [])]).toEqual([1, 0, 0]);
    expect(empty.provenance).toEqual([]);
  });
});

describe('a PLACES measure', () => {
  const [diabetes, sleep] = ['places_measures.diabetes', 'places_measures.sleep'];
  const release = (year: number, values: Record<string, number[]>, metrics: readonly string[] = [diabetes, sleep]) =>
    layerOf(values, { source: 'places', table: 'PLACES', year, label: `CDC PLACES ${year}`, metrics });
  const yearsIn = ({ provenance }: JoinedTracts, fips: string) =>
    provenance.filter(({ stateFips }) => stateFips === fips).map(({ metrics, year }) => [metrics, year]);

  it('that the newest release lacks in a state comes from an older one there, also where its cells are empty', () => {
    const older = release(2024, { [DE1]: [10, 30], [DE2]: [11, 31], [DC1]: [12, 32] });
    const newest = [
      [release(2025, { [DE1]: [MISSING, 40], [DE2]: [MISSING, 41], [DC1]: [22, 42] })],
      [release(2025, { [DE1]: [40], [DE2]: [41] }, [sleep]), release(2025, { [DC1]: [22, 42] })],
    ];
    for (const layers of newest) {
      const joined = join(older, ...layers);
      const notes = layers.flatMap(({ tally }) => [...tally.notes]);
      expect(notes).toEqual(
        layers.length === 1 ? [['metric without a value in a state: taken from an older file', 1]] : [],
      );
      expect(column(joined, diabetes)).toEqual([10, 11, 22]);
      expect(column(joined, sleep)).toEqual([40, 41, 42]);
      expect(yearsIn(joined, '10')).toEqual([
        [[diabetes], 2024],
        [[sleep], 2025],
      ]);
      expect(yearsIn(joined, '11')).toEqual([[[diabetes, sleep], 2025]]);
    }
  });

  it('is not filled from an older release in a state of which the newest has a value', () => {
    const joined = join(release(2024, { [DE1]: [10, 30], [DE2]: [11, 31] }), release(2025, { [DE1]: [20, MISSING] }));
    expect(column(joined, diabetes)).toEqual([20, MISSING, MISSING]);
    expect(column(joined, sleep)).toEqual([30, 31, MISSING]);
  });

  it('is counted in the provenance with the others: the tracts with any of the release’s, not the most of one', () => {
    const parts = [release(2025, { [DE1]: [20] }, [diabetes]), release(2025, { [DE2]: [30] }, [sleep])];
    const counts = join(...parts).provenance.map(({ metrics, tractCount }) => [metrics, tractCount]);
    expect(counts).toEqual([[[diabetes, sleep], 2]]);
  });
});

describe('trends', () => {
  it('hold every year from its own tables, older years too, each tract by itself', () => {
    const joined = join(
      layerOf({ [DE1]: [3] }, { year: 2022 }),
      layerOf({ [DE1]: [1], [DC1]: [2] }, { year: 2020 }),
      layerOf({ [DE1]: [9] }, { year: 2022, table: 'DP03', preference: 1 }),
    );
    expect(joined.trendYears).toEqual([2020, 2022]);
    expect([2020, 2022].map((year) => trend(joined, DE1, year, 1))).toEqual([1, 3]);
    expect([2020, 2022].map((year) => trend(joined, DC1, year, 1))).toEqual([2, MISSING]);
  });

  it('of 2010 tracts are there only where a relationship file bridges them', () => {
    const intake = new Intake({ territories: false });
    const layer = layerOf({ [DE1]: [1], [DE2]: [2] }, { year: 2019, tractVintage: 2010 });
    intake.addLayer(layer);
    const [geoid2010, geoid2020] = [tractOf(DE1).geoid, tractOf(DE2).geoid];
    intake.addOverlap({
      ...{ geoid2010, geoid2020, landPartSqm: 1, land2010Sqm: 1, land2020Sqm: 1 },
      ...{ waterPartSqm: 0, water2010Sqm: 0, water2020Sqm: 0 },
    });
    const joined = joinLayers(intake, TRACTS.map(tractOf), createBridge(intake, knownTracts(TRACTS.map(geoidOf))));
    expect(TRACTS.map((geoid) => trend(joined, geoid, 2019, 1))).toEqual([MISSING, 1, MISSING]);
    expect(Object.fromEntries(layer.tally.leftOut)).toEqual({
      '2010 tract that is not in the relationship file': 1,
    });
  });
});

describe('a table that lists a tract under two GEOIDs', () => {
  const [COUNTY, REGION] = ['09001010101', '09190010101'];
  const joinBoth = (rows: Readonly<Record<string, readonly number[]>>): { joined: JoinedTracts; layer: Layer } => {
    const intake = new Intake({ territories: false });
    intake.addConnecticutMove(geoidOf(COUNTY), geoidOf(REGION));
    const layer = layerOf(rows);
    intake.addLayer(layer);
    const bridge = createBridge(intake, knownTracts([geoidOf(REGION)]));
    return { joined: joinLayers(intake, [tractOf(REGION)], bridge), layer };
  };

  it.each([
    [COUNTY, REGION],
    [REGION, COUNTY],
  ])('has the second row left out where it says the same: %s, %s', (first, second) => {
    const { joined, layer } = joinBoth({ [first]: [1], [second]: [1] });
    expect([column(joined, income), [...joined.trendValues]]).toMatchObject([[1], { 1: 1 }]);
    expect(layer.tally).toMatchObject({ kept: 1, rejectedRows: 0 });
    expect([...layer.tally.leftOut]).toEqual([['duplicate row under another GEOID of the tract', 1]]);
  });

  it.each([[2], [MISSING]])('has the second row rejected where it says another thing: %d', (other) => {
    const { joined, layer } = joinBoth({ [COUNTY]: [1], [REGION]: [other] });
    expect([column(joined, income), [...joined.trendValues]]).toMatchObject([[1], { 1: 1 }]);
    expect(layer.tally).toMatchObject({ kept: 1, leftOutRows: 0 });
    const reason = 'duplicate tract under another GEOID with other values';
    expect([...layer.tally.rejected]).toEqual([[reason, 1]]);
    expect(layer.tally.examples.get(reason)).toMatchObject([{ geoid: REGION }]);
  });
});

describe('rows that find no tract', () => {
  it('are rejected by as many rows of the file as they are made of', () => {
    const layer = layerOf({});
    layer.tally.read = 5;
    layer.add(tractOf('10001123456').geoid, [1], false, 5);
    const joined = join(layer);
    expect(column(joined, income)).toEqual([MISSING, MISSING, MISSING]);
    expect(Object.fromEntries(layer.tally.rejected)).toEqual({ 'GEOID of an unknown tract': 5 });
    expect(layer.tally.kept).toBe(0);
  });

  it('with a lost zero are noted where it could be put back', () => {
    const layer = layerOf({});
    layer.add(tractOf(DE1).geoid, [1], true);
    expect(column(join(layer), income)[0]).toBe(1);
    expect(Object.fromEntries(layer.tally.notes)).toEqual({ 'leading zero of the GEOID restored': 1 });
  });
});
