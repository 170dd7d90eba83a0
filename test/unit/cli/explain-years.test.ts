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
  [1, ['2019: published on 2010 tracts, and none of them is the same ground as this tract']],
  [2, ['2022: the source has no value for this tract']],
  [3, ['2019: published on 2010 tracts, and nothing loaded leads from them']],
  [4, ['2019: published on 2010 tracts, and nothing loaded leads from them', '2022: no ACS values of Made-up State']],
])('of tract %i each year that its trends leave out has its reason', (row, reasons) => {
  const lines = explainMissingYears(tracts, row);
  expect(lines.length).toBe(reasons.length);
  lines.forEach((line, at) => {
    expect(line).toContain(reasons[at]);
  });
});
