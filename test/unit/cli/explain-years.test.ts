import { expect, test } from 'vitest';
import { explainMissingYears } from '../../../src/cli/inspect/explain-years.js';
import { madeUpTracts } from '../../support/made-up-tracts.js';

const there = { total_population: 1 };
const loaded = (source: string) => ({ source, vintage: null, fetched: null });

test.each([
  [
    '2019, of which another tract of the county has values',
    '10001000200',
    'published on 2010 tracts: either none of them covers the same land as this tract, or the loaded tables have no value for it',
  ],
  [
    '2019, of which no tract of the county has values',
    '10003000100',
    'no tract of Other County has a value; published on 2010 tracts: either none of them covers the same land as this tract, or the loaded tables have no value for it',
  ],
  [
    '2019, of which no tract of the state has values',
    '11001000100',
    'published on 2010 tracts, which are converted by the tract relationship file for Made-up State: not loaded',
  ],
])('%s', (_, geoid, reason) => {
  const tracts = madeUpTracts(
    [
      { geoid: '10001000100', trend: { 2019: there } },
      { geoid: '10001000200' },
      { geoid: '10003000100' },
      { geoid: '11001000100' },
    ],
    { trendYears: [2019], countyNames: { 10003: 'Other County' } },
  );
  const row = [...tracts.geoids].indexOf(Number(geoid));
  expect(explainMissingYears(tracts, row)).toEqual([`2019: ${reason}`]);
  expect(explainMissingYears(tracts, 0)).toEqual([]);
});

test.each([
  ['10001000200', 'the loaded tables have no value for this tract'],
  ['10003000100', 'no tract of Other County has a value; the loaded tables have no value for this tract'],
  ['11001000100', 'no ACS values are loaded for Made-up State'],
])('2022, which needs no conversion: %s', (geoid, reason) => {
  const tracts = madeUpTracts(
    [
      { geoid: '10001000100', trend: { 2022: there } },
      { geoid: '10001000200' },
      { geoid: '10003000100' },
      { geoid: '11001000100' },
    ],
    { trendYears: [2022], countyNames: { 10003: 'Other County' } },
  );
  const row = [...tracts.geoids].indexOf(Number(geoid));
  expect(explainMissingYears(tracts, row)).toEqual([`2022: ${reason}`]);
});

test('where the files that convert are loaded, they are not what is missing, or not all of it', () => {
  const tracts = madeUpTracts([{ geoid: '09110500100' }, { geoid: '10001000100' }], {
    trendYears: [2019, 2021],
    loadedSources: [loaded('tract-relationship'), loaded('ct-crosswalk')],
  });
  const converted = 'published on 2010 tracts, which are converted by the tract relationship file for Made-up State';
  const rest = ": that, or the year's tables, are not loaded for Made-up State";
  expect(explainMissingYears(tracts, 0)).toEqual([
    `2019: ${converted} and the crosswalk to planning regions${rest}`,
    '2021: no ACS values are loaded for Made-up State',
  ]);
  expect(explainMissingYears(tracts, 1)).toEqual([
    `2019: ${converted}${rest}`,
    '2021: no ACS values are loaded for Made-up State',
  ]);
});

test.each([
  [
    'the planning regions',
    '09110500100',
    [
      '2019: published on 2010 tracts, which are converted by the tract relationship file for Made-up State and the crosswalk to planning regions: not loaded',
      "2021: published on Made-up State's counties; to convert them, load the crosswalk to its planning regions",
      '2022: no ACS values are loaded for Made-up State',
    ],
  ],
  [
    'the counties',
    '09001500100',
    [
      '2019: published on 2010 tracts, which are converted by the tract relationship file for Made-up State: not loaded',
      '2021: no ACS values are loaded for Made-up State',
      "2022: published on Made-up State's planning regions, but this dataset has its counties; load a newer gazetteer",
    ],
  ],
])(
  'explains missing years of Connecticut that were published by its other areas, if its tracts are by %s',
  (_, geoid, reasons) => {
    const connecticut = madeUpTracts(
      [
        { geoid, trend: {} },
        { geoid: '10001000100', trend: { 2019: there, 2021: there, 2022: there } },
      ],
      { trendYears: [2019, 2021, 2022] },
    );
    expect(explainMissingYears(connecticut, 0)).toEqual(reasons);
  },
);
