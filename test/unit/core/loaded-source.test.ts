import { expect, test } from 'vitest';
import { ageSources, ageText, vintageOf } from '../../../src/core/loaded-source.js';

test.each([
  ['ACS 5-year 2018–2022 B19013', '2022'],
  ['Census 2020–2010 tract relationship', '2020'],
  ['NPPES registry through 2024-01-14', '2024-01-14'],
  ['HRSA Health Center Service Delivery and Look-Alike Sites', null],
])('the vintage of %j is %j', (product, vintage) => expect(vintageOf(product)).toBe(vintage));

const NOW = Date.parse('2026-01-02T15:00:00Z');

test.each([
  ['since the end of its year', { vintage: '2024', fetched: '2026-01-01' }, 366],
  ['since the end of its day', { vintage: '2025-12-25', fetched: null }, 7],
  ['since it was fetched where it has no vintage', { vintage: null, fetched: '2025-12-31' }, 1],
  ['nothing while its year lasts', { vintage: '2026', fetched: '2026-01-01' }, 0],
  ['unknown where nothing tells', { vintage: null, fetched: null }, null],
])('a source is as old as %s', (_, source, ageDays) => {
  expect(ageSources([{ source: 'acs', ...source }], NOW)).toEqual([{ source: 'acs', ...source, ageDays }]);
});

test.each([
  [null, '–'],
  [0, '0 days'],
  [1, '1 day'],
  [365, '365 days'],
  [366, '1 year'],
  [1200, '3 years'],
])('an age of %j days reads %j', (ageDays, text) => expect(ageText(ageDays)).toBe(text));
