import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { METRICS } from '../../../src/core/metrics.js';
import type { TractFacts } from '../../../src/narrative/facts.js';
import { rulesSentences, rulesText } from '../../../src/narrative/rules.js';
import { METRIC_WORDING, wordingOf } from '../../../src/narrative/wording.js';
import { emptyFacts, sampleFacts } from './sample-facts.js';

describe('the rule-based summary', () => {
  test('names what is high in the nation with its value, unit and rank', () => {
    const facts = sampleFacts({ 'places_measures.diabetes': { value: 16.24, percentiles: { national: 90.7 } } });
    expect(rulesText(facts)).toContain('diagnosed diabetes (16.2% of adults; higher than in 90% of US tracts)');
    expect(rulesText(facts)).toMatch(/screening for .*: diabetes and prediabetes\./);
  });

  test('sees a low figure as unfavorable where more is better', () => {
    const facts = sampleFacts({
      median_household_income: { value: 24500, percentiles: { national: 4.2 } },
      'places_measures.checkup': { value: 61, percentiles: { national: 0.4 } },
    });
    const sentences = rulesSentences(facts);
    expect(sentences.find((sentence) => sentence.startsWith('Social conditions that are less favorable'))).toContain(
      'median household income ($24,500; only about 4% of US tracts are lower)',
    );
    expect(sentences.find((sentence) => sentence.startsWith('Health measures that are less favorable'))).toContain(
      'routine checkups in the past year (61% of adults; fewer than 1% of US tracts are lower)',
    );
  });

  test('sees the good end of a scale as favorable and suggests no screening for it', () => {
    const facts = sampleFacts({
      median_household_income: { value: 150000, percentiles: { national: 97 } },
      poverty_rate: { value: 2.1, percentiles: { national: 8 } },
    });
    const text = rulesText(facts);
    expect(text).toMatch(
      /more favorable than in most tracts: median household income \(\$150,000; .*\) and poverty rate \(2\.1%/,
    );
    expect(text).not.toContain('screening');
  });

  test('does not call a comparison within the state impossible where only averages are missing', () => {
    const ozone = { value: 66.2, percentiles: { county: null, state: 98.4, national: null } };
    const text = rulesText({
      ...emptyFacts(),
      figures: emptyFacts().figures.map((figure) =>
        figure.metric === 'epa_data.ozone' ? { ...figure, ...ozone } : figure,
      ),
    });
    expect(text).toContain('No comparison with averages of the county or state is possible.');
    expect(text).toContain('ozone (66.2 ppb; higher than in 98% of tracts in ');
  });

  test.each([
    [79.9, false],
    [80, true],
    [20.1, false],
    [20, true],
  ])('takes a percentile of %d for standing out: %s', (national, standsOut) => {
    const text = rulesText(sampleFacts({ poverty_rate: { value: 12, percentiles: { national } } }));
    expect(text.includes('poverty rate (12%;')).toBe(standsOut);
  });

  test('names the most extreme first, at whichever end of their ranks they are', () => {
    const facts = sampleFacts({
      poverty_rate: { value: 28, percentiles: { national: 90 } },
      'places_measures.checkup': { value: 61, percentiles: { national: 1 } },
      'places_measures.diabetes': { value: 16, percentiles: { national: 90 } },
      median_household_income: { value: 24500, percentiles: { national: 4 } },
    });
    expect(rulesText(facts)).toMatch(/Social .*: median household income \(.*\) and poverty rate \(28%/);
    expect(rulesText(facts)).toMatch(
      /Health .*: routine checkups in the past year \(.*\) and diagnosed diabetes \(16%/,
    );
  });

  test('calls no age and no population favorable or unfavorable, however few tracts are like that', () => {
    for (const national of [0, 100]) {
      const text = rulesText(sampleFacts({ median_age: { value: 40, percentiles: { national } } }));
      expect(text).not.toContain('favorable than');
      expect(text).not.toContain('median age (');
    }
  });

  test('says of less than 1% that it is fewer, of 1% that it is 1%', () => {
    const lowIn = (national: number) =>
      rulesText(sampleFacts({ poverty_rate: { value: 2, percentiles: { national } } }));
    expect(lowIn(0.9)).toContain('fewer than 1% of US tracts are lower');
    expect(lowIn(1)).toContain('only about 1% of US tracts are lower');
  });

  test('says of no figure that it is higher than in all tracts, and rounds no rank up but that of a low one', () => {
    const rankedAt = (national: number) =>
      rulesText(sampleFacts({ poverty_rate: { value: 2, percentiles: { national } } }));
    expect(rankedAt(100)).toContain('higher than in 99% of US tracts');
    expect(rankedAt(98.9)).toContain('higher than in 98% of US tracts');
    expect(rankedAt(4.6)).toContain('only about 5% of US tracts are lower');
    expect(rankedAt(4.4)).toContain('only about 4% of US tracts are lower');
  });

  test('takes no low exposure for a measure that is favorable: most indices are low in most places', () => {
    const low = sampleFacts({ 'epa_data.pm25': { value: 1, percentiles: { national: 3 } } });
    expect(rulesText(low)).not.toContain('more favorable');
  });

  test('names five topics of screening at most', () => {
    const high = METRICS.filter(({ section }) => section !== 'sdoh_index').map(
      ({ path }) => [path, { value: 1, percentiles: { national: 99 } }] as const,
    );
    const suggested = rulesSentences(sampleFacts(Object.fromEntries(high))).find((text) => text.includes('screening'));
    expect(suggested?.split('; ')).toHaveLength(5);
  });

  test('sets a figure that stands out locally beside the averages of county, state and nation', () => {
    const facts = sampleFacts({
      unemployment_rate: {
        value: 9.1,
        percentiles: { county: 88.3, state: 70 },
        averages: { county: 5.2, state: 6, national: 5.5 },
      },
    });
    expect(rulesText(facts)).toContain(
      'Locally, the unemployment rate is 9.1%, against tract averages of 5.2% in Albany County, ' +
        '6% in New York and 5.5% nationwide (higher than in 88% of tracts in Albany County).',
    );
  });

  test('compares the income to the averages where no other figure can be compared, instead of denying that one can', () => {
    const income = { value: 61_000, averages: { county: 70_500, state: 66_000, national: 71_000 } };
    const compared =
      'Locally, the median household income is $61,000, against tract averages of $70,500 in Albany County, ' +
      '$66,000 in New York and $71,000 nationwide.';
    expect(rulesText(sampleFacts({ median_household_income: income }))).toContain(compared);
    const poverty = { value: 12, averages: { county: 11, state: 13, national: 12 } };
    expect(rulesText(sampleFacts({ median_household_income: income, poverty_rate: poverty }))).toContain(
      'Locally, the poverty rate is 12%, against',
    );
  });

  test('compares another figure where the first has no value, although the county has an average of it', () => {
    const averages = { county: 11, state: 13, national: 12 };
    const rates = { poverty_rate: { value: null, averages }, uninsured_rate: { value: 9, averages } };
    expect(rulesText(sampleFacts(rates))).toContain('Locally, the uninsured rate is 9%, against');
  });

  test.each([
    ['District of Columbia', 'the District of Columbia'],
    ['U.S. Virgin Islands', 'the U.S. Virgin Islands'],
    ['Capitol Planning Region', 'the Capitol Planning Region'],
    ['Doña Ana County', 'Doña Ana County'],
  ])('names %s as %s', (name, named) => {
    const high = { value: 9, percentiles: { county: 88 }, averages: { county: 5, state: 5, national: 6 } };
    const text = rulesText(sampleFacts({ unemployment_rate: high }, { county: name, state: name }));
    expect(text).toContain(
      `against tract averages of 5% in ${named} and 6% nationwide (higher than in 88% of tracts in ${named}).`,
    );
  });

  test('does not let a figure that is favorable locally pass for one of the less favorable ones before it', () => {
    const textWith = (unemployment: number, county: number): string =>
      rulesText(
        sampleFacts({
          'svi_themes.rpl_theme4': { value: 0.97, percentiles: { national: 97 } },
          unemployment_rate: {
            value: unemployment,
            percentiles: { county, state: 50 },
            averages: { county: 5.2, state: 6, national: 5.5 },
          },
        }),
      );
    expect(textWith(1.1, 3)).toContain('US tracts); more favorably, locally, the unemployment rate is 1.1%, against');
    expect(textWith(9.9, 97)).toContain('US tracts); locally, the unemployment rate is 9.9%, against');
  });

  test('says that nothing stands out of those tracts alone among which that is so', () => {
    const poor = {
      value: 28.4,
      percentiles: { county: 95, national: 60 },
      averages: { county: 12, state: 14, national: 13 },
    };
    const nothing = 'No social, health or environmental figure is in the most unfavorable fifth of';
    const text = rulesText(sampleFacts({ poverty_rate: poor }));
    expect(text).toContain('(higher than in 95% of tracts in Albany County)');
    expect(text).toContain(`${nothing} US tracts.`);
    const rankedInState = { value: 0.5, percentiles: { county: null, state: 50, national: null } };
    expect(rulesText(sampleFacts({ poverty_rate: poor, 'svi_themes.rpl_themes': rankedInState }))).toContain(
      `${nothing} the largest group of tracts it is ranked with.`,
    );
  });

  test('says that nothing stands out of those kinds of figures alone that are published and judged', () => {
    const onlyOf = (isPublished: (metric: (typeof METRICS)[number]) => boolean) => {
      const missing = METRICS.filter((metric) => !isPublished(metric));
      return rulesText(sampleFacts(Object.fromEntries(missing.map(({ path }) => [path, { value: null }]))));
    };
    expect(onlyOf(({ section }) => section === 'epa_data')).toContain(
      'No environmental figure is in the most unfavorable fifth of US tracts.',
    );
    expect(onlyOf(({ section }) => section === 'demographics' || section === 'epa_data')).toContain(
      'No social or environmental figure is in the most unfavorable fifth of US tracts.',
    );
    const populationAlone = onlyOf(({ path }) => path === 'total_population');
    expect(populationAlone).not.toContain('most unfavorable');
    expect(populationAlone).toContain('No published figure can be ranked');
  });

  test('does not mention a county that the tract is not compared with', () => {
    const figure = { value: 9, percentiles: { county: null }, averages: { county: null, state: 6, national: 7 } };
    const facts = sampleFacts({ poverty_rate: figure }, { county: 'Loving County' });
    expect(rulesText(facts)).not.toContain('Loving County');
    expect(rulesText(facts)).toContain('6% in New York and 7% nationwide');
  });

  test('does not call the tracts of some states US tracts', () => {
    const local = { value: 9, percentiles: { county: 99 }, averages: { county: 5, state: 6, national: 7 } };
    const text = rulesText(
      sampleFacts({
        poverty_rate: { value: 40, percentiles: { national: 99 }, among: 'dataset' },
        unemployment_rate: { ...local, among: 'dataset' },
      }),
    );
    expect(text).toContain(
      'than in most tracts: poverty rate (40%; higher than in 99% of the tracts in this dataset);',
    );
    expect(text).toContain('tract averages of 5% in Albany County, 6% in New York and 7% in this dataset');
  });

  test('does not call the tracts that happen to have a value US tracts, figure by figure', () => {
    const text = rulesText(
      sampleFacts({
        poverty_rate: { value: 40, percentiles: { national: 99 }, among: 'known' },
        'svi_themes.rpl_themes': { value: 0.95, percentiles: { national: 95 } },
        'places_measures.diabetes': { value: 16.24, percentiles: { national: 90.7 } },
      }),
    );
    expect(text).toContain(
      'Social conditions that are less favorable than in most of the tracts compared: ' +
        'poverty rate (40%; higher than in 99% of the tracts in this dataset that have this measure) and ' +
        'overall social vulnerability (higher than in 95% of US tracts)',
    );
    expect(text).toContain(
      'less favorable than in most tracts (modeled estimates): diagnosed diabetes (16.2% of adults;',
    );
  });

  test('gives the average over the tracts that have a value as theirs, and leaves out areas without one', () => {
    const facts = sampleFacts({
      unemployment_rate: {
        value: 2.1,
        percentiles: { county: 9, state: null, national: 12 },
        averages: { county: 5.2, state: null, national: 8.5 },
        among: 'known',
      },
    });
    expect(rulesText(facts)).toContain(
      'Locally, the unemployment rate is 2.1%, against tract averages of 5.2% in Albany County and 8.5% over the tracts ' +
        'in this dataset that have this measure (only about 9% of tracts in Albany County are lower).',
    );
    expect(rulesText(facts)).toContain(
      'more favorable than in most of the tracts compared: unemployment rate (2.1%; only about 12% of the tracts in this ' +
        'dataset that have this measure are lower).',
    );
    expect(rulesText(facts)).not.toMatch(/nationwide|US tracts|New York and/);
  });

  test('tells SVI ranks that were taken within the state as such', () => {
    const figure = { value: 0.91, percentiles: { county: null, state: 91, national: null } };
    const facts = sampleFacts({ 'svi_themes.rpl_themes': figure });
    expect(rulesText(facts)).toContain('overall social vulnerability (higher than in 91% of tracts in New York)');
  });

  test('says what is missing, whole sections by their name, and that it is not zero', () => {
    const missing = METRICS.filter(({ section, key }) => section === 'places_measures' || key === 'ozone');
    const facts = sampleFacts(Object.fromEntries(missing.map(({ path }) => [path, { value: null }])));
    expect(rulesText(facts)).toContain(
      'Not available for this tract, and therefore unknown rather than zero: modeled health estimates; ozone.',
    );
  });

  test('names whole sections that are missing before single measures, since not all can be named', () => {
    const missing = METRICS.filter(({ path }) => path !== 'total_population');
    const facts = sampleFacts(Object.fromEntries(missing.map(({ path }) => [path, { value: null }])));
    expect(rulesText(facts)).toContain(
      'unknown rather than zero: social vulnerability ranks; modeled health estimates; environmental indicators; ' +
        'the composite social disadvantage index; median household income; other measures.',
    );
  });

  test('spells out incomes beyond the published scale', () => {
    expect(rulesText(sampleFacts({ median_household_income: { value: 250_001 } }))).toContain(
      'a median household income of $250,000 or more',
    );
    expect(rulesText(sampleFacts({ median_household_income: { value: 2_499 } }))).toContain(
      'a median household income of less than $2,500',
    );
  });

  test('warns that figures of few residents are uncertain, and suggests no screening where nobody lives', () => {
    const poor = { poverty_rate: { value: 60, percentiles: { national: 99 } } };
    const few = rulesText(sampleFacts({ ...poor, total_population: { value: 41 } }));
    expect(few).toContain('41 residents');
    expect(few).toContain('survey figures are uncertain');
    const enough = rulesText(sampleFacts({ ...poor, total_population: { value: 500 } }));
    expect(enough).toContain('500 residents');
    expect(enough).not.toContain('uncertain');
    const nobody = rulesText(sampleFacts({ ...poor, total_population: { value: 0 } }));
    expect(nobody).toContain('no counted residents');
    expect(nobody).toContain('no screening is suggested');
  });

  test('ends by saying that it is rule-based, from which published data, and not about an individual', () => {
    expect(rulesSentences(sampleFacts()).at(-1)).toBe(
      'This rule-based summary was written from published area-level data (CDC PLACES 2021–2023 and EPA EJScreen 2023) ' +
        'and describes the tract as a whole, not any individual.',
    );
  });

  test('says of demo data that it is synthetic, and names no agency for it', () => {
    const last = rulesSentences(sampleFacts({}, { synthetic: true })).at(-1);
    expect(last).toContain('rule-based');
    expect(last).toContain('synthetic demonstration data');
    expect(last).not.toContain('CDC');
  });

  test('has something to say of a tract of which nothing is published', () => {
    const text = rulesText(emptyFacts());
    expect(text).toContain('has no published population, age or income.');
    expect(text).toContain('No published figure can be ranked');
    expect(text).toContain('unknown rather than zero');
  });
});

test('every metric has a wording, and only metrics have', () => {
  expect(Object.keys(METRIC_WORDING).sort()).toEqual(METRICS.map(({ path }) => path).sort());
  expect(() => wordingOf('no_such_metric')).toThrow('no_such_metric');
});

test('no label is a variable name', () => {
  for (const { label, screening } of Object.values(METRIC_WORDING)) {
    expect(`${label} ${screening ?? ''}`).not.toMatch(/[_A-Z]{2}|rpl|pct/);
  }
});

describe('whatever the facts', () => {
  const rank = fc.option(fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10));
  const number = fc.option(
    fc.integer({ min: 0, max: 40_000_000 }).map((hundredths) => hundredths / 100),
    { freq: 2 },
  );
  const byScope = (of: typeof rank) => fc.record({ county: of, state: of, national: of });
  const area = fc.constantFrom('', 'St. Louis County', 'Doña Ana County');
  const facts: fc.Arbitrary<TractFacts> = fc
    .record({
      figures: fc.tuple(
        ...METRICS.map(({ path }) =>
          fc.record({
            metric: fc.constant(path),
            value: number,
            percentiles: byScope(rank),
            averages: byScope(number),
            among: fc.constantFrom('nation', 'dataset', 'known'),
          }),
        ),
      ),
      county: area,
      state: area,
      synthetic: fc.boolean(),
    })
    .map((more) => sampleFacts({}, more));
  const check = (property: (facts: TractFacts) => void) => fc.assert(fc.property(facts, property), { numRuns: 300 });

  test('the summary has four to eight sentences and never a hole', () => {
    check((any) => {
      const sentences = rulesSentences(any);
      expect(sentences.length).toBeGreaterThanOrEqual(4);
      expect(sentences.length).toBeLessThanOrEqual(8);
      for (const sentence of sentences) {
        expect(sentence).toMatch(/^[A-Z].*[^.]\.$/);
        expect(sentence).not.toMatch(/null|undefined|NaN|Infinity|\[object|\(\)| {2}|_| ,|: \./);
      }
    });
  });

  test('the same facts give the same text', () => {
    check((any) => {
      expect(rulesText(structuredClone(any))).toBe(rulesText(any));
    });
  });

  test('every number in the text is a published one', () => {
    check((any) => {
      const allowed = allowedNumbers(any);
      const text = rulesText(any);
      const unpublished = numbersIn(withoutFixedWords(text, any)).filter(
        ({ value, halfStep }) => !allowed.some((number) => Math.abs(number - value) <= halfStep),
      );
      expect(unpublished, text).toEqual([]);
    });
  });
});

/** Values and averages, ranks (rounded down at the upper end), years; the bounds that stand for what is beyond them. */
function allowedNumbers({ figures, sources }: TractFacts): number[] {
  const published = figures.flatMap(({ value, averages }) => [value, ...Object.values(averages)]);
  const ranks = figures.flatMap(({ percentiles }) => Object.values(percentiles));
  return [
    ...published.filter((number) => number !== null),
    ...ranks.flatMap((number) => (number === null ? [] : [Math.min(99, Math.floor(number)), Math.round(number)])),
    ...sources.flatMap(({ firstYear, lastYear }) => [firstYear, lastYear]),
    // "fewer than 1%", "less than 0.1%", "less than 0.01"
    ...[1, 0.1, 0.01],
  ];
}

function withoutFixedWords(text: string, facts: TractFacts): string {
  return Object.values(METRIC_WORDING).reduce(
    (rest, { label }) => rest.replaceAll(label, ''),
    text.replace(facts.name, ''),
  );
}

/** Numbers as a reader reads them, with half of their last decimal place. */
function numbersIn(text: string): { value: number; halfStep: number }[] {
  return [...text.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([token]) => {
    const decimals = token.split('.')[1]?.length ?? 0;
    // A trailing zero may have been dropped: 12% is also 12.04%.
    return { value: Number(token.replaceAll(',', '')), halfStep: 0.5 * 10 ** -decimals + 1e-9 };
  });
}
