import { expect, test } from 'vitest';
import { readSelection } from '../../../src/cli/fetch/fetch-arguments.js';

test('without options it is the 50 states and DC, everything, the newest', () => {
  expect(readSelection({}, '')).toMatchObject({ sources: undefined, year: undefined, trendYears: undefined });
  expect(readSelection({}, '').states.length).toBe(51);
  expect(readSelection({ states: 'all' }, '')).toEqual(readSelection({}, ''));
});

test('lists may have blanks, and states may be named either way', () => {
  expect(readSelection({ states: 'MN, 10', sources: 'tiger, acs', 'trend-years': '2019, 2021' }, 'k')).toMatchObject({
    states: ['10', '27'],
    sources: ['tiger', 'acs'],
    trendYears: [2019, 2021],
    censusApiKey: 'k',
  });
  expect(readSelection({ 'trend-years': 'none' }, '').trendYears).toEqual([]);
});

test.each([
  [{ states: '10,99' }, '--states: 99 is no state'],
  [{ year: '23' }, '--year: 23 is no year'],
  [{ 'trend-years': '2019,' }, '--trend-years: an empty entry is no year'],
  [{ 'from-mirror': 'mirror.test' }, '--from-mirror: mirror.test is no http or https address'],
  [
    { 'from-mirror': 'https://mirror.test/?a=b' },
    '--from-mirror: https://mirror.test/?a=b is no http or https address',
  ],
])('what is wrong is named: %j', (given, message) => {
  expect(() => readSelection(given, '')).toThrow(message);
});
