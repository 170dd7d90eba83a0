import { describe, expect, it } from 'vitest';
import { Intake } from '../../../src/load/intake/intake.js';
import { Tally } from '../../../src/load/intake/tally.js';
import { cellAt, findColumn, requireColumns } from '../../../src/load/sources/columns.js';
import { COUNTY_NAME_TRUST, countyOfTractName, createCountyNamer } from '../../../src/load/sources/county-names.js';
import { yearIn, yearOfFile } from '../../../src/load/sources/file-year.js';
import { parseDecimal } from '../../../src/load/sources/number-cell.js';
import { createRowCheck } from '../../../src/load/sources/row-check.js';
import { readTractField, whyNoGeoid } from '../../../src/load/sources/tract-field.js';
import { checkRange } from '../../../src/load/sources/value-range.js';
import { fakeFile } from '../../support/input-file.js';

describe('columns by name', () => {
  it('are found whatever their case, the first name that is there', () => {
    expect(findColumn(['st', 'Geoid'], ['FIPS', 'GEOID'])).toBe(1);
    expect(findColumn(['st'], ['FIPS'])).toBeUndefined();
  });

  it('are all named when they are missing', () => {
    const find = () => requireColumns('f.csv', ['a'], { a: ['A'], b: ['B', 'BB'], c: ['C'] });
    expect(find).toThrow('f.csv: columns missing: B or BB, C');
  });

  it('give trimmed cells, empty where there is none', () => {
    expect([cellAt([' x '], 0), cellAt(['x'], 4), cellAt(['x'], undefined)]).toEqual(['x', '', '']);
  });
});

describe('decimal numbers', () => {
  it.each([
    ['1', 1],
    ['-086.5', -86.5],
    ['+32.4', 32.4],
    ['.5', 0.5],
    ['0.', 0],
    ['-0.0', 0],
    ['1e-15', 1e-15],
  ])('%s is %d', (text, value) => expect(parseDecimal(text)).toBe(value));

  it.each(['', 'NaN', 'Infinity', '0x10', '1,000', '1 2', '1e999', 'e5', '--1'])('%j is none', (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  });
});

describe('a text that is no GEOID', () => {
  it.each(['10001040100.0', '10001040100.', '1001020100.000', '10,001,040,100', '1,001,020,100.00'])(
    'is told to be a number that a spreadsheet made of one, with its digits: %s',
    (text) => {
      expect(whyNoGeoid(text)).toBe('GEOID turned into a number, as by a spreadsheet: save its column as text');
    },
  );

  it.each(['1.0001E+10', '1,0001E+10', '1.001e+09', '1E10', '4.8029E+10'])('or one rounded: %s', (text) => {
    expect(whyNoGeoid(text)).toBe('GEOID rounded, as by a spreadsheet: download the file again');
  });

  it.each(['', '10001', '100010401001', '10001040100.5', '1.0001E+12', '#REF!', '1234,567,890'])(
    'or neither: %j',
    (text) => {
      expect([whyNoGeoid(text), whyNoGeoid(text, 'other')]).toEqual(['not a tract GEOID', 'other']);
    },
  );
});

describe('row widths', () => {
  const fault = (row: readonly string[], header: readonly string[]) => createRowCheck('f.csv', header)(row, 2);

  it('allow for a trailing comma in header, rows, or both', () => {
    expect(fault(['1', '2', ''], ['a', 'b', ''])).toBeUndefined();
    expect(fault(['1', '2', ''], ['a', 'b'])).toBeUndefined();
    expect(fault(['1', '2'], ['a', 'b', ''])).toBeUndefined();
  });

  it('find rows that are short or long by a cell', () => {
    expect(fault(['1'], ['a', 'b'])).toBe('ragged row');
    expect(fault(['1', ''], ['a', 'b', ''])).toBe('ragged row');
    expect(fault(['1', '2', '3'], ['a', 'b', ''])).toBe('ragged row');
    expect(fault(['1', ''], ['a', 'b'])).toBeUndefined();
  });
});

describe('years of files', () => {
  it('are four digits that stand alone, the last that the product has', () => {
    expect(yearIn('ny_places2023_small.csv')).toBe(2023);
    expect(yearIn('PLACES_2023_release_20240130.csv')).toBe(2023);
    expect(yearIn('acs_2018_2022.json')).toBe(2022);
    expect(yearIn('svi_2018_downloaded_2021.csv', (year) => year % 2 === 0)).toBe(2018);
    expect(yearIn('tl_12020.csv')).toBeUndefined();
  });

  it('come from the innermost folder or archive where the name has none', () => {
    expect(yearOfFile(fakeFile('in 2010/acs/2021/income.csv', ''))).toBe(2021);
    expect(yearOfFile(fakeFile('in/NY_2022.zip!income.csv', ''))).toBe(2022);
    expect(yearOfFile(fakeFile('in/income.csv', ''))).toBeUndefined();
  });
});

describe('county of a tract’s name', () => {
  it.each([
    ['Census Tract 1.01, District of Columbia, District of Columbia', 'District of Columbia'],
    ['Census Tract 1; Albany County; New York', 'Albany County'],
    ['Acadia Parish, Louisiana', undefined],
    ['', undefined],
  ])('%j: %s', (name, county) => expect(countyOfTractName(name)).toBe(county));

  it('is not taken from a text in which an earlier program replaced a letter', () => {
    const intake = new Intake({ territories: false });
    const nameCounty = createCountyNamer(intake, COUNTY_NAME_TRUST.acs, countyOfTractName);
    const field = readTractField('35013000102');
    if (!field) throw new Error('it is a tract of New Mexico');
    nameCounty(field, 'Census Tract 1.02, Do\uFFFDa Ana County, New Mexico');
    expect(intake.countyName('35013')).toBe('');
    nameCounty(field, 'Census Tract 1.02, Doña Ana County, New Mexico');
    expect(intake.countyName('35013')).toBe('Doña Ana County');
  });
});

describe('value ranges', () => {
  it.each([
    ['poverty_rate', 100, true],
    ['poverty_rate', 100.01, false],
    ['median_age', 121, false],
    ['total_population', -1, false],
    ['median_household_income', -1520, true],
    ['median_household_income', -999, false],
    ['median_household_income', -9999, false],
    ['svi_themes.rpl_themes', 1.0001, false],
    ['places_measures.chd', -0.1, false],
    ['epa_data.traffic_proximity', 4_000_000, true],
    ['epa_data.lead_paint_pct', 101, false],
  ])('%s of %d is possible: %s', (path, value, possible) => {
    const tally = new Tally('acs', 'x');
    expect(checkRange(path, value, tally.column('X'), String(value))).toBe(possible ? value : Number.NaN);
    expect(tally.notes.get('value out of range')).toBe(possible ? undefined : 1);
    expect(tally.column('X').unreadable).toBe(possible ? 0 : 1);
  });
});
