import { describe, expect, it } from 'vitest';
import { CATEGORIES, parseDictionary } from '../../../src/core/dictionary.js';
import { METRICS } from '../../../src/core/metrics.js';
import type { ProvenanceEntry } from '../../../src/format/description.js';
import { dictionary, readDictionary } from '../../../src/query/dictionary.js';

const NOTHING_LOADED = { provenance: [], states: [], synthetic: false, loadedSources: [] };
const content = readDictionary();
const answer = dictionary(content, NOTHING_LOADED);
const fields = answer.categories.flatMap(({ fields }) => fields);

const CATEGORY_OF_SECTION = {
  demographics: 'demographics',
  svi_themes: 'vulnerability',
  places_measures: 'health_outcomes',
  epa_data: 'environmental',
  sdoh_index: 'composite',
} as const;

describe('the dictionary', () => {
  it('has one entry for each metric and each text of a record, and no other', () => {
    const texts = ['geoid', 'state_fips', 'county_fips', 'tract_code', 'name', 'epa_data._source'];
    const paths = [...METRICS.map(({ path }) => path), ...texts];
    expect(fields.map(({ name }) => name).sort()).toEqual(paths.sort());
    expect(answer.total_fields).toBe(paths.length);
  });

  it('lists metrics in the order, with the type and in the category of the metrics’ table', () => {
    const listed = fields.filter(({ type }) => type !== 'string');
    expect(listed.map(({ name, type, category }) => ({ name, type, category }))).toEqual(
      METRICS.map(({ path, type, section }) => ({ name: path, type, category: CATEGORY_OF_SECTION[section] })),
    );
  });

  it('has every category of the contract, and every property of a field, in its order', () => {
    expect(answer.categories.map(({ category }) => category)).toEqual([...CATEGORIES]);
    for (const field of fields) {
      expect(Object.keys(field)).toEqual([
        'name',
        'type',
        'source',
        'category',
        'description',
        'clinical_relevance',
        'unit',
        'typical_range',
        'example_value',
      ]);
    }
  });

  it('says of each measure that the survey does not ask about every year', () => {
    const everyOther = fields.filter(({ description }) => description.includes('Asked every other year.'));
    // https://www.cdc.gov/places/current-release-notes/: releases carry these over in turn.
    expect(everyOther.map(({ name }) => name)).toEqual(
      ['bphigh', 'dental', 'sleep'].map((key) => `places_measures.${key}`),
    );
  });

  it('has examples of the field’s type, a number for a number and a text for a text', () => {
    for (const { name, type, example_value } of fields) {
      expect([name, typeof example_value]).toEqual([name, type === 'string' ? 'string' : 'number']);
      if (type === 'integer') expect(Number.isInteger(example_value)).toBe(true);
    }
  });

  it.each(CATEGORIES)('can be asked for %s alone', (category) => {
    const { total_fields, categories } = dictionary(content, NOTHING_LOADED, category);
    expect(categories.map((entry) => entry.category)).toEqual([category]);
    expect(total_fields).toBe(fields.filter((field) => field.category === category).length);
  });
});

describe('a field’s source', () => {
  const entry = (stateFips: string, change: Partial<ProvenanceEntry> = {}): ProvenanceEntry => ({
    stateFips,
    section: 'svi_themes',
    metrics: ['svi_themes.rpl_themes'],
    source: 'svi',
    label: 'CDC/ATSDR SVI 2022',
    year: 2022,
    tractVintage: 2020,
    stateRanked: false,
    tractCount: 5,
    ...change,
  });
  const states = ['08', '10', '13'].map((fips, at) => ({ fips, name: fips, firstRow: at, tractCount: 1 }));
  const loadedSources = [
    { source: 'ejscreen', vintage: '2023', fetched: '2026-01-02' },
    { source: 'svi', vintage: '2022', fetched: null },
  ];
  const sourceOf = (
    path: string,
    provenance: readonly ProvenanceEntry[],
    { synthetic = false, loaded = states } = {},
  ): string => {
    const { categories } = dictionary(content, { provenance, states: loaded, synthetic, loadedSources });
    return categories.flatMap(({ fields }) => fields).find(({ name }) => name === path)?.source ?? '';
  };

  it('says which product and vintage the dataset has it from, and for which states', () => {
    const older = entry('10', { label: 'CDC/ATSDR SVI 2020', year: 2020 });
    expect(sourceOf('svi_themes.rpl_themes', [entry('08'), older, entry('13')])).toContain(
      'In this dataset: CDC/ATSDR SVI 2022 (CO, GA); CDC/ATSDR SVI 2020 (DE).',
    );
    expect(sourceOf('svi_themes.rpl_themes', [entry('08'), entry('10'), entry('13')])).toMatch(
      /2022 \(all loaded states\)\.$/,
    );
    expect(sourceOf('svi_themes.rpl_themes', [entry('10')], { loaded: states.slice(1, 2) })).toMatch(/2022 \(DE\)\.$/);
  });

  it('says for which states ranks are within the state, and nothing of it where there are none', () => {
    const mixed = [entry('08', { stateRanked: true }), entry('10'), entry('13', { stateRanked: true })];
    expect(sourceOf('svi_themes.rpl_themes', mixed)).toContain('Ranked within the state, not the nation, for CO, GA.');
    expect(sourceOf('svi_themes.rpl_themes', [entry('08')])).not.toContain('Ranked within the state, not');
  });

  it('says so where values were published on other tracts or are synthetic', () => {
    expect(sourceOf('svi_themes.rpl_themes', [entry('08', { tractVintage: 2010 })])).toContain(
      'CDC/ATSDR SVI 2022, published on 2010 tracts (CO)',
    );
    expect(sourceOf('svi_themes.rpl_themes', [entry('08')], { synthetic: true })).toMatch(
      /\. In this dataset: synthetic values, none of which was measured; CDC\/ATSDR SVI 2022 \(CO\)\.$/,
    );
    expect(sourceOf('sdoh_index', [entry('08')], { synthetic: true })).toMatch(
      /\. In this dataset: synthetic values, none of which was measured; ranked among the tracts of 3 states\.$/,
    );
  });

  it('says so where no loaded state has anything of it', () => {
    const written = fields.find(({ name }) => name === 'svi_themes.rpl_theme1')?.source;
    expect(sourceOf('svi_themes.rpl_theme1', [entry('08')])).toBe(`${written} Not loaded in this dataset.`);
    expect(sourceOf('epa_data._source', [entry('08')])).toMatch(/ Not loaded in this dataset\.$/);
  });

  it('is the written one for what is not from a source of its own, and while nothing is loaded', () => {
    const written = new Map(fields.map(({ name, source }) => [name, source]));
    expect(sourceOf('geoid', [entry('08')])).toBe(written.get('geoid'));
    const { categories } = dictionary(content, NOTHING_LOADED);
    for (const { name, source } of categories.flatMap((category) => category.fields)) {
      expect(source).toBe(written.get(name));
    }
  });

  it('of the index says among how many states it ranks, and where its SVI part does not', () => {
    expect(sourceOf('sdoh_index', [entry('08', { stateRanked: true }), entry('10')])).toMatch(
      /In this dataset: ranked among the tracts of 3 states\. Its SVI part is ranked within the state, not the nation, for CO\.$/,
    );
  });

  it('of `epa_data._source` is that of the environmental values', () => {
    const environmental = entry('08', { section: 'epa_data', metrics: ['epa_data.pm25'], label: 'EPA EJScreen 2023' });
    const health = entry('08', {
      section: 'places_measures',
      metrics: ['places_measures.chd'],
      label: 'CDC PLACES 2023',
    });
    expect(sourceOf('epa_data._source', [health, environmental, entry('08')])).toMatch(
      / In this dataset: EPA EJScreen 2023 \(CO\)\.$/,
    );
  });

  it('says when its vintage was fetched, where that is known', () => {
    const epa = {
      section: 'epa_data',
      metrics: ['epa_data.pm25'],
      source: 'ejscreen',
      label: 'EPA EJScreen 2023',
    } as const;
    expect(sourceOf('epa_data.pm25', [entry('08', epa)])).toContain('EPA EJScreen 2023, fetched 2026-01-02 (CO)');
    const older = { ...epa, label: 'EPA EJScreen 2022', year: 2022 };
    expect(sourceOf('epa_data.pm25', [entry('08', older)])).toContain('EPA EJScreen 2022 (CO)');
    expect(sourceOf('svi_themes.rpl_themes', [entry('08')])).not.toContain('fetched');
  });
});

describe('a dictionary’s file', () => {
  const broken = (change: (field: Record<string, unknown>) => void): string => {
    const copy = structuredClone(content);
    change(copy.categories[0]?.fields[0] ?? {});
    return JSON.stringify(copy);
  };

  it.each([
    ['an empty text', (field: Record<string, unknown>) => Object.assign(field, { unit: ' ' }), 'unit'],
    ['a field that is not known', (field: Record<string, unknown>) => Object.assign(field, { units: 'x' }), 'units'],
    [
      'an example of another type',
      (field: Record<string, unknown>) => Object.assign(field, { example_value: 'x' }),
      'example',
    ],
  ])('is refused with its name for %s', (_, change, what) => {
    const read = () => parseDictionary(broken(change), 'the-file.json');
    expect(read).toThrow('the-file.json');
    expect(read).toThrow(what);
  });

  it('is refused where a category is missing', () => {
    const text = JSON.stringify({ categories: content.categories.slice(1) });
    expect(() => parseDictionary(text, 'the-file.json')).toThrow('identity');
    expect(() => parseDictionary('{"categories":', 'the-file.json')).toThrow(/^the-file\.json is not JSON: /);
  });
});
