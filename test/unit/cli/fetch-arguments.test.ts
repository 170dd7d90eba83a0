import { expect, test } from 'vitest';
import { type FetchArguments, readSelection } from '../../../src/cli/fetch/fetch-arguments.js';
import { readSourceCatalog } from '../../../src/load/source-catalog.js';

const read = (given: FetchArguments, censusApiKey = '') => readSelection(given, readSourceCatalog(), censusApiKey);

test('without options it is the 50 states and DC, everything, the newest', () => {
  expect(read({})).toMatchObject({ sources: undefined, year: undefined, trendYears: undefined });
  expect(read({}).states.length).toBe(51);
  expect(read({ states: 'all' })).toEqual(read({}));
});

test('territories come where they are named, or asked for together', () => {
  expect(read({ territories: true }).states).toEqual([...read({}).states, '60', '66', '69', '72', '78']);
  expect(read({ states: 'PR' }).states).toEqual(['72']);
});

test('lists may have blanks, and states may be named either way', () => {
  expect(read({ states: 'MN, 10', sources: 'tiger, acs', 'trend-years': '2019, 2021' }, 'k')).toMatchObject({
    states: ['10', '27'],
    sources: ['tiger', 'acs'],
    trendYears: [2019, 2021],
    censusApiKey: 'k',
  });
  expect(read({ 'trend-years': 'none' }).trendYears).toEqual([]);
});

test.each([
  [{ states: '10,99' }, '--states: 99 is not a state'],
  [{ states: '10', territories: true }, '--territories cannot be combined with --states'],
  [{ sources: 'acs,nope' }, '--sources: nope is not a source that can be fetched; choose from gazetteer, tiger, '],
  [{ sources: 'tiger,' }, '--sources: an empty entry is not a source'],
  [{ sources: 'svi', year: '2001' }, '--year: svi: there is no vintage up to 2001; the first is 2014'],
  [{ year: '23' }, '--year: 23 is not a year'],
  [{ 'trend-years': '2019,' }, '--trend-years: an empty entry is not a year'],
  [{ 'from-mirror': 'ftp://user:secret@mirror.test' }, '--from-mirror: ftp://***@mirror.test is not an http or https'],
  [{ 'from-mirror': 'user:secret@mirror.test' }, '--from-mirror: ***@mirror.test is not an http or https URL'],
  [{ 'from-mirror': 'mirror.test' }, '--from-mirror: mirror.test is not an http or https URL'],
  [
    { 'from-mirror': 'https://mirror.test/?a=b' },
    '--from-mirror: https://mirror.test/?*** is not an http or https URL',
  ],
])('what is wrong is named: %j', (given, message) => {
  expect(() => read(given)).toThrow(message);
});
