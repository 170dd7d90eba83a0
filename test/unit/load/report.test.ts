import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STATES } from '../../../src/core/states.js';
import { InputError } from '../../../src/load/input.js';
import { Tally } from '../../../src/load/intake/tally.js';
import { formatReport } from '../../../src/load/report/format-report.js';
import { type CompileReport, createReport } from '../../../src/load/report/report.js';
import { readSourceCatalog } from '../../../src/load/source-catalog.js';
import { PLACES_MEASURES } from '../../../src/load/sources/places/measures.js';
import { accountOf, type LoadOutcome, load } from '../../support/loading.js';
import { npiAt, physician, registryText } from '../../support/nppes.js';
import {
  acsDatText,
  cenpopText,
  ejscreenText,
  gazetteerText,
  type InputTree,
  placesWideText,
  relationshipText,
  sviText,
  tractShapefile,
  writeTree,
} from '../../support/official-files.js';
import { zctaTractText } from '../../support/provider-files.js';
import { COLUMBIA, DELAWARE } from '../../support/small-input.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const COORDINATES = { 'places.csv': 'npi,lat,lng\n1770586976,39.15,-75.52\n' };
const GAZETTEER = { '2023_Gaz_tracts_10.txt': gazetteerText(DELAWARE) };

/** So many tracts of a county, side by side. */
const tractsOf = (county: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ geoid: `${county}${100_000 + at}`, west: -75 + at / 100, south: 39 }));

/** The report of a load of these tallies, and of no tract. */
function reportOf(tallies: readonly Tally[]): CompileReport {
  const joined = {
    ...{ tracts: [], values: [], present: new Map(), provenance: [], epaSource: [], rowCounts: new Map() },
    ...{ trendYears: [], trendValues: new Float64Array() },
  };
  const files = { found: [], ignored: [], suspect: [] };
  const catalog = readSourceCatalog();
  const [hasOutline, gazetteerOf] = [() => false, () => undefined];
  return createReport({ tallies, joined, hasOutline, catalog, files, wantedStates: [], gazetteerOf });
}

function loadTree(tree: InputTree, states?: ReadonlySet<string>): Promise<LoadOutcome> {
  const root = temporaryDirectory();
  const inputDirs = [writeTree(join(root, 'in'), { ...GAZETTEER, ...tree })];
  return load({ inputDirs, outputDir: join(root, 'out'), filter: { territories: false, states } });
}

describe('the account of a compile', () => {
  it('counts tracts with a value in a section, not those that have a row without one', async () => {
    const ranks = DELAWARE.map(({ geoid }, index) => [geoid, Array(5).fill(index === 0 ? -999 : 0.5)]);
    const { published } = await loadTree({ 'SVI_2022_US.csv': sviText(Object.fromEntries(ranks)) });
    expect(published?.report.sections.svi_themes).toEqual({ with: 2, without: 1, statesWithout: [] });
  });

  it('names the states without any value of a section that others have', async () => {
    const ranks = Object.fromEntries(DELAWARE.map(({ geoid }) => [geoid, Array(5).fill(0.5)]));
    const { published, lines } = await loadTree({
      '2023_Gaz_tracts_11.txt': gazetteerText(COLUMBIA),
      'SVI_2022_US.csv': sviText(ranks),
    });
    expect(published?.report.sections.svi_themes).toMatchObject({ with: 3, statesWithout: ['DC'] });
    expect(published?.report.sections.epa_data).toMatchObject({ with: 0, statesWithout: ['DE', 'DC'] });
    expect(lines).toContainEqual(expect.stringMatching(/^section +tracts with +without +none in$/));
    expect(lines).toContainEqual(expect.stringMatching(/^svi_themes +3 +2 +DC$/));
    // Of a section that no state has the table says so already.
    expect(lines).toContainEqual(expect.stringMatching(/^epa_data +0 +5$/));
  });

  it('names the metrics that states have no value of, although they have others of the section', async () => {
    const file = (state: string) => `PLACES__Census_Tract_Data__GIS_Friendly_Format___2024_release_${state}.csv`;
    const places = (tracts: typeof DELAWARE, ...measures: string[]) =>
      placesWideText(measures, Object.fromEntries(tracts.map(({ geoid }) => [geoid, measures.map(() => 20)])));
    const { published, lines } = await loadTree({
      '2023_Gaz_tracts_11.txt': gazetteerText(COLUMBIA),
      [file('DE')]: places(DELAWARE, ...PLACES_MEASURES.map(({ id }) => id).filter((id) => id !== 'LPA')),
      [file('DC')]: places(COLUMBIA, 'DENTAL', 'SLEEP'),
    });
    const most = 'diabetes obesity mhlth phlth bphigh casthma chd csmoking access2 checkup binge'.split(' ');
    expect(published?.report.metricsWithout).toEqual([
      { section: 'places_measures', metrics: most, states: ['DC'] },
      { section: 'places_measures', metrics: ['lpa'], states: ['DE', 'DC'] },
    ]);
    expect(lines).toContain(`places_measures: none of ${most.join(', ')} in DC`);
    expect(lines).toContain('places_measures: none of lpa in DE, DC');
  });

  it('names what a year of the trends lacks in a state, also where the current value is that of another year', async () => {
    const income = (tracts: typeof DELAWARE) =>
      acsDatText(['B19013_E001'], Object.fromEntries(tracts.map(({ geoid }) => [geoid, [50_000]])));
    const age = (tracts: typeof DELAWARE) =>
      acsDatText(['B01002_E001'], Object.fromEntries(tracts.map(({ geoid }) => [geoid, [40]])));
    const { published, lines } = await loadTree({
      '2023_Gaz_tracts_11.txt': gazetteerText(COLUMBIA),
      'acsdt5y2021-b19013.dat': income([...DELAWARE, ...COLUMBIA]),
      'acsdt5y2021-b01002.dat': age([...DELAWARE, ...COLUMBIA]),
      'acsdt5y2022-b19013.dat': income([...DELAWARE, ...COLUMBIA]),
      'acsdt5y2022-b01002.dat': age(DELAWARE),
      'acsdt5y2023-b19013.dat': income(COLUMBIA),
    });
    const others = ['total_population', 'poverty_rate', 'uninsured_rate', 'unemployment_rate'];
    const all = [...others.slice(0, 1), 'median_household_income', ...others.slice(1), 'median_age'];
    expect(published?.report.trendsWithout).toEqual([
      { year: 2021, metrics: others, states: ['DE', 'DC'] },
      { year: 2022, metrics: others, states: ['DE', 'DC'] },
      { year: 2022, metrics: ['median_age'], states: ['DC'] },
      { year: 2023, metrics: expect.arrayContaining(all), states: ['DE'] },
      { year: 2023, metrics: [...others, 'median_age'], states: ['DC'] },
    ]);
    expect(lines).toContain('trends of 2022: none of median_age in DC');
    expect(lines).toContain('trends of 2023: nothing in DE');
  });

  it('names up to twelve states without something, and only counts more', () => {
    const without = (count: number): string[] => STATES.slice(0, count).map(({ abbreviation }) => abbreviation);
    const linesOf = (states: readonly string[]): string[] =>
      formatReport({
        ...reportOf([]),
        sections: { svi_themes: { with: 1, without: states.length, statesWithout: states } },
        metricsWithout: [{ section: 'places_measures', metrics: ['lpa', 'binge'], states }],
      });
    const twelve = without(12);
    expect(twelve.at(-1)).toBe('HI');
    expect(linesOf(twelve)).toContainEqual(expect.stringMatching(new RegExp(`^svi_themes .* ${twelve.join(', ')}$`)));
    expect(linesOf(twelve)).toContain(`places_measures: none of lpa, binge in ${twelve.join(', ')}`);
    expect(linesOf(without(13))).toContainEqual(expect.stringMatching(/^svi_themes +1 +13 +13 states$/));
    expect(linesOf(without(13))).toContain('places_measures: none of lpa, binge in 13 states');
  });

  it('lists reasons in the same order, whichever came up first', () => {
    const reasons = ['too long', 'GEOID is no tract', 'coordinates out of range'];
    const made = (order: readonly string[]): CompileReport => {
      const tally = new Tally('gazetteer', 'Census 2023 Gazetteer (tracts)', 'a.txt');
      tally.read = 10_000;
      for (const reason of order) {
        tally.reject(reason);
        tally.leave(reason);
        tally.note(reason);
      }
      return reportOf([tally]);
    };
    const [one, other] = [made(reasons), made(reasons.toReversed())];
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
    expect(formatReport(one)).toEqual(formatReport(other));
    expect(one.rejections.map(({ reason }) => reason)).toEqual([...reasons].sort());
  });

  it('names the sources of which no row is used, with why, unless they are only of states that are not loaded', async () => {
    const ranks = (tracts: typeof DELAWARE) =>
      sviText(Object.fromEntries(tracts.map(({ geoid }) => [geoid, Array(5).fill(0.5)])));
    const files = { 'SVI_2018_DE.csv': ranks(DELAWARE), 'CenPop2020_Mean_TR11.txt': cenpopText({ '11001000101': 1 }) };
    const { published, lines } = await loadTree({ ...files, 'SVI_2018_DC.csv': ranks(COLUMBIA) }, new Set(['10']));
    const leftOut = [{ reason: '2010 tract without a relationship file', count: 3 }];
    expect(published?.report.unusedSources).toEqual([{ source: 'svi', read: 3, leftOut }]);
    expect(lines.slice(-2)).toEqual([
      'Not loaded, or only in part; check whether they should have been:',
      '  svi: none of 3 rows used: 3 × 2010 tract without a relationship file',
    ]);
    const alsoUsed = await loadTree({ ...files, 'SVI_2022_DE.csv': ranks(DELAWARE) }, new Set(['10']));
    expect(alsoUsed.published?.report.unusedSources).toEqual([]);
  });

  it('does not name sources of which all tracts are in states that are not loaded, whatever else they have', async () => {
    const [tract = ''] = COLUMBIA.map(({ geoid }) => geoid);
    const { published } = await loadTree(
      {
        'acsdt5y2022-b19013.dat': `${acsDatText(['B19013_E001'], { [tract]: [50_000] })}0500000US11001|60000\n`,
        'tab20_tract20_tract10_st11.txt': relationshipText([
          [tract, tract, 9, 0, 9, 0, 9, 0],
          [tract, ''],
          ['', tract],
        ]),
        'tab20_zcta520_tract20_natl.txt': zctaTractText(['20001', tract, 9], ['', tract, 9]),
        'npidata_pfile_20050523-20240107.csv': registryText(
          physician({ NPI: npiAt(0) }),
          physician({
            NPI: npiAt(1),
            'Provider Business Practice Location Address Country Code (If outside U.S.)': 'CA',
          }),
          { NPI: npiAt(2), 'NPI Deactivation Date': '03/15/2006' },
        ),
      },
      new Set(['10']),
    );
    expect(published?.report.unusedSources).toEqual([]);
  });

  it('names the sources whose rows have no value at all', async () => {
    const blank = ejscreenText(Object.fromEntries(DELAWARE.map(({ geoid }) => [geoid, Array(11).fill(null)])));
    const { published, lines } = await loadTree({ 'EJSCREEN_2023_Tracts.csv': blank });
    const leftOut = [{ reason: 'without any value', count: 3 }];
    expect(published?.report.unusedSources).toEqual([{ source: 'ejscreen', read: 3, leftOut }]);
    expect(lines.at(-1)).toBe('  ejscreen: none of 3 rows used: 3 × without any value');
  });

  it('names the wanted states that the input has no tracts of', async () => {
    const { published, lines } = await loadTree({}, new Set(['11', '10', '06']));
    expect(published?.report.statesWithoutTracts).toEqual(['CA', 'DC']);
    expect(lines).toContain('None of CA, DC: the input has neither a gazetteer nor outlines of their tracts');
    const all = await loadTree({ '2023_Gaz_tracts_11.txt': gazetteerText(COLUMBIA) }, new Set(['10', '11']));
    expect(all.published?.report.statesWithoutTracts).toEqual([]);
    expect(all.lines.filter((line) => line.startsWith('None of'))).toEqual([]);
  });

  it('names the states of which the input has only a part of the tracts', async () => {
    // 206 and 262 in all; of a state’s tracts the boundaries for maps may lack a tenth.
    const { published, lines } = await loadTree({
      '2023_Gaz_tracts_10.txt': gazetteerText(tractsOf('10001', 235)),
      '2023_Gaz_tracts_11.txt': gazetteerText(tractsOf('11001', 186)),
    });
    const gazetteer = 'in/2023_Gaz_tracts_10.txt';
    expect(published?.report.statesInPart).toEqual([{ state: 'DE', tracts: 235, of: 262, gazetteer }]);
    expect(lines).toContain(`Only a part of the tracts (235 of 262 in DE): check whether ${gazetteer} is complete`);
    const whole = await loadTree({ '2023_Gaz_tracts_10.txt': gazetteerText(tractsOf('10001', 236)) });
    expect(whole.published?.report.statesInPart).toEqual([]);
    expect(whole.lines.filter((line) => line.startsWith('Only a part'))).toEqual([]);
  });

  it('names the states without outlines, and those of which most tracts have none', async () => {
    const delaware = tractsOf('10001', 20);
    const dc = tractsOf('11001', 20).map((tract) => ({ ...tract, south: 38 }));
    const georgia = tractsOf('13001', 20);
    const { published, lines } = await loadTree({
      '2023_Gaz_tracts_10.txt': gazetteerText([...delaware, ...dc, ...georgia]),
      ...tractShapefile('tl_2020_10_tract', delaware.slice(0, 15)),
      ...tractShapefile('tl_2020_11_tract', dc.slice(0, 14)),
    });
    expect(published?.report).toMatchObject({ outlines: 29, outlineGaps: { without: ['GA'], inPart: ['DC'] } });
    expect(lines).toContain('outlines: none in GA');
    expect(lines).toContain('outlines: less than 75% of the tracts in DC');
    const none = await loadTree({ '2023_Gaz_tracts_10.txt': gazetteerText(DELAWARE) });
    expect(none.published?.report.outlineGaps).toEqual({ without: ['DE'], inPart: [] });
    expect(none.lines.filter((line) => line.startsWith('outlines:'))).toEqual([]);
  });

  it('names the metrics that less than three quarters of a state’s tracts have', async () => {
    const delaware = tractsOf('10001', 20);
    const dc = tractsOf('11001', 19);
    const ofFirst = (tracts: typeof delaware, count: number) =>
      Object.fromEntries(tracts.slice(0, count).map(({ geoid }) => [geoid, Array(5).fill(0.5)]));
    const inPart = async (count: number) => {
      const { published, lines } = await loadTree({
        '2023_Gaz_tracts_10.txt': gazetteerText(delaware),
        '2023_Gaz_tracts_11.txt': gazetteerText(dc),
        'SVI_2022_US.csv': sviText({ ...ofFirst(delaware, count), ...ofFirst(dc, 2) }),
        'acsdt5y2022-b19013.dat': acsDatText(['B19013_E001'], { [delaware[0]?.geoid ?? '']: [50_000] }),
      });
      return { found: published?.report.metricsInPart, lines: lines.filter((line) => line.includes('less than 75%')) };
    };
    const income = { section: 'demographics', metrics: ['median_household_income'], states: ['DE'] };
    const incomeLine = 'demographics: median_household_income of less than 75% of the tracts in DE';
    const themes = ['rpl_theme1', 'rpl_theme2', 'rpl_theme3', 'rpl_theme4', 'rpl_themes'];
    expect(await inPart(14)).toEqual({
      found: [income, { section: 'svi_themes', metrics: themes, states: ['DE'] }],
      lines: [incomeLine, 'svi_themes: less than 75% of the tracts in DE'],
    });
    expect(await inPart(15)).toEqual({ found: [income], lines: [incomeLine] });
  });

  it('names the files that have less than nine in ten of a state’s tracts, as one cut off at the end of a line', async () => {
    const delaware = tractsOf('10001', 20);
    const dc = tractsOf('11001', 20);
    const ofFirst = (tracts: typeof delaware, count: number) =>
      Object.fromEntries(tracts.slice(0, count).map(({ geoid }) => [geoid, Array(5).fill(0.5)]));
    const inPart = async (tables: InputTree) => {
      const { published, lines } = await loadTree({
        '2023_Gaz_tracts_10.txt': gazetteerText(delaware),
        '2023_Gaz_tracts_11.txt': gazetteerText(dc),
        ...tables,
      });
      return { found: published?.report.tablesInPart, lines: lines.filter((line) => line.includes(': only ')) };
    };
    const product = 'CDC/ATSDR SVI 2022';
    const ofState = (state: string, tracts: number, ...files: string[]) => ({ product, state, tracts, of: 20, files });
    const national = { ...ofFirst(delaware, 18), ...ofFirst(dc, 17) };
    expect(await inPart({ 'SVI_2022_US.csv': sviText(national) })).toEqual({
      found: [ofState('DC', 17, 'in/SVI_2022_US.csv')],
      lines: [`${product}: only 17 of 20 tracts in DC: check whether in/SVI_2022_US.csv is complete`],
    });
    const [a, b] = ['in/a/SVI_2022_US.csv', 'in/b/SVI_2022_US.csv'];
    const byState = {
      'a/SVI_2022_US.csv': sviText(ofFirst(delaware, 10)),
      'b/SVI_2022_US.csv': sviText(ofFirst(dc, 1)),
    };
    expect(await inPart(byState)).toEqual({
      found: [ofState('DE', 10, a), ofState('DC', 1, b)],
      lines: [`${product}: only 10 of 20 tracts in DE, 1 of 20 in DC: check whether ${a} and 1 more are complete`],
    });
    expect(await inPart({ 'SVI_2022_US.csv': sviText({ ...ofFirst(delaware, 18), ...ofFirst(dc, 20) }) })).toEqual({
      found: [],
      lines: [],
    });
  });

  it('only counts the states of which a file has a part, where there are many, and asks nothing of few tracts', async () => {
    const lineOf = async (states: number, count: number) => {
      const tracts = STATES.slice(0, states).map(({ fips }) => tractsOf(`${fips}001`, count));
      const ranks = tracts.flatMap((own) => own.slice(0, count / 2).map(({ geoid }) => [geoid, Array(5).fill(0.5)]));
      const { lines } = await loadTree({
        '2023_Gaz_tracts_national.txt': gazetteerText(tracts.flat()),
        'SVI_2022_US.csv': sviText(Object.fromEntries(ranks)),
      });
      return lines.filter((line) => line.includes(': only '));
    };
    const line =
      'CDC/ATSDR SVI 2022: only a part of the tracts in 13 states: check whether in/SVI_2022_US.csv is complete';
    expect(await lineOf(13, 20)).toEqual([line]);
    expect(await lineOf(12, 20)).toEqual([expect.stringMatching(/only 10 of 20 tracts in AL, 10 of 20 in AK, /)]);
    expect(await lineOf(1, 18)).toEqual([]);
  });

  it('finds nothing cut off in a table of 2010 tracts, of which many were redrawn', async () => {
    const tracts = tractsOf('10001', 20);
    const { published } = await loadTree({
      '2023_Gaz_tracts_10.txt': gazetteerText(tracts),
      'tab20_tract20_tract10_st10.txt': relationshipText(
        tracts.map(({ geoid }, at) => (at < 10 ? [geoid, geoid, 9, 0, 9, 0, 9, 0] : [geoid, geoid, 9, 0, 9, 0, 4, 0])),
      ),
      'SVI_2018_US.csv': sviText(Object.fromEntries(tracts.map(({ geoid }) => [geoid, Array(5).fill(0.5)]))),
    });
    expect(published?.report.sections.svi_themes).toMatchObject({ with: 10 });
    expect(published?.report.tablesInPart).toEqual([]);
  });

  it('leaves out the rows of states that have no tracts in the input, and publishes', async () => {
    const counts = Object.fromEntries([...DELAWARE, ...COLUMBIA].map(({ geoid }) => [geoid, 4000]));
    const outcome = await loadTree({ 'CenPop2020_Mean_TR.txt': cenpopText(counts) });
    expect(accountOf(outcome, '2020 Census (centers of population)')).toMatchObject({
      ...{ read: 5, kept: 3, rejected: {} },
      leftOut: { 'the input has no tracts of this state': 2 },
    });
  });

  it('names the files that were found, by product, and those that were ignored', async () => {
    const { published } = await loadTree({ 'notes/read me.md': '# nothing' });
    expect(published?.report).toMatchObject({
      found: [{ product: 'Census 2023 Gazetteer (tracts)', files: ['in/2023_Gaz_tracts_10.txt'] }],
      ignored: ['in/notes/read me.md'],
      suspect: [],
    });
  });

  it('ends with the files that were not loaded and look like those that are, which the list at its start has, too', async () => {
    const svi = sviText({ '10001040100': [0.1, 0.2, 0.3, 0.4, 0.5] }).replace('RPL_THEMES', 'THEMES');
    const emptyZip = Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)]);
    const { published, lines } = await loadTree({ '2022/Delaware.csv': svi, 'Ohio.csv': '', 'Utah.zip': emptyZip });
    const told = [
      'in/Utah.zip: an archive without files',
      'in/2022/Delaware.csv: looks like CDC/ATSDR SVI 2022, but has no column RPL_THEMES',
      'in/Ohio.csv: it is empty',
    ];
    expect(published?.report).toMatchObject({ ignored: told, suspect: told });
    const shown = told.map((file) => `  ${file}`);
    const heading = lines.indexOf('Ignored (not files of a known source):');
    expect(lines.slice(heading + 1, heading + 4)).toEqual(shown);
    expect(lines.slice(-4)).toEqual(['Not loaded, or only in part; check whether they should have been:', ...shown]);
  });

  it('is given where no tract is left, too, and then why there is none', async () => {
    const root = temporaryDirectory();
    const counts = Object.fromEntries(DELAWARE.map(({ geoid }) => [geoid, 4000]));
    const population = { 'CenPop2020_Mean_TR.txt': cenpopText(counts) };
    const reportPath = join(root, 'report.json');
    const loadFrom = (name: string, tree: InputTree, states?: string[]): Promise<LoadOutcome> => {
      const filter = { territories: false, states: states && new Set(states) };
      const inputDirs = [writeTree(join(root, name), { ...population, ...tree })];
      return load({ inputDirs, outputDir: join(root, 'out'), filter, reportPath });
    };
    const unsigned = { '2023_Gaz_tracts_10.txt': gazetteerText(DELAWARE).replaceAll('\t-7', '\t7') };
    const refused = await loadFrom('refused', unsigned);
    expect(refused.error).toBeInstanceOf(InputError);
    expect(refused.error?.message.split('\n')).toEqual([
      'refused/2023_Gaz_tracts_10.txt (Census 2023 Gazetteer (tracts)): 3 of 3 rows rejected: all of them',
      expect.stringContaining('3 × coordinates out of range, the first: row 2'),
      'gazetteer: 3 of 3 rows rejected, more than 1%',
      expect.stringContaining('3 × coordinates out of range, the first: row 2'),
      'no tracts in the input: every row of its gazetteer and tract outlines was rejected or left out',
    ]);
    expect(refused.lines).toContain('  Census 2023 Gazetteer (tracts): 3 rejected: coordinates out of range');
    expect(JSON.parse(readFileSync(reportPath, 'utf8'))).toMatchObject({
      tracts: 0,
      products: [{ source: 'gazetteer', kept: 0 }, { leftOut: { 'the input has no tracts of this state': 3 } }],
    });
    const asked = await loadFrom('asked', GAZETTEER, ['55', '27']);
    expect(asked.error?.message).toBe('no tracts of states 27, 55 in the input');
    expect(asked.lines).toContain('  Census 2023 Gazetteer (tracts): 3 left out: other state');
    // The error says it.
    expect(asked.lines.filter((line) => line.startsWith('None of'))).toEqual([]);
    const other = { '2023_Gaz_tracts_11.txt': gazetteerText(COLUMBIA) };
    const rejected = await loadFrom('both', { ...unsigned, ...other, ...COORDINATES }, ['10']);
    expect(rejected.error?.message).toContain('every row of its gazetteer and tract outlines was rejected or left out');
    expect(rejected.lines).toContain('  Coordinates by NPI: 1 left out: no kept provider has this NPI');
    const { error } = await loadFrom('alone', {});
    expect(error?.message).toBe('no tracts in the input: add a gazetteer or tract outlines');
  });
});
