import { expect, test } from 'vitest';
import { explainMissingYears } from '../../../src/cli/inspect/explain-years.js';
import { madeUpTracts } from '../../support/made-up-tracts.js';

const there = { total_population: 1 };
const tracts = madeUpTracts(
  [
    { geoid: '10001000100', trend: { 2019: there, 2022: there } },
    { geoid: '10001000200', trend: { 2022: there } },
    { geoid: '10001000300', trend: { 2019: there } },
    { geoid: '11001000100', trend: { 2022: there } },
    { geoid: '15001000100', trend: {} },
  ],
  { trendYears: [2019, 2022] },
);

test.each([
  [0, []],
  [1, ['2019: published on 2010 tracts, none of which covers the same land']],
  [2, ['2022: the source has no value for this tract']],
  [3, ['2019: published on 2010 tracts; to convert them, load the tract relationship file']],
  [
    4,
    [
      '2019: published on 2010 tracts; to convert them, load the tract relationship file',
      '2022: no ACS values are loaded for Made-up State',
    ],
  ],
])('of tract %i each year that its trends leave out has its reason', (row, reasons) => {
  const lines = explainMissingYears(tracts, row);
  expect(lines.length).toBe(reasons.length);
  lines.forEach((line, at) => {
    expect(line).toContain(reasons[at]);
  });
});

test.each([
  [
    'the planning regions',
    '09110500100',
    [
      '2019: published on 2010 tracts; to convert them, load the tract relationship file for Made-up State and the crosswalk to planning regions',
      "2021: published on Made-up State's counties; to convert them, load the crosswalk to its planning regions",
      '2022: no ACS values are loaded for Made-up State',
    ],
  ],
  [
    'the counties',
    '09001500100',
    [
      '2019: published on 2010 tracts; to convert them, load the tract relationship file for Made-up State',
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
