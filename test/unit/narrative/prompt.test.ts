import { expect, test } from 'vitest';
import { narrativePrompt } from '../../../src/narrative/prompt.js';
import { rulesText } from '../../../src/narrative/rules.js';
import { sampleFacts } from './sample-facts.js';

test('the prompt says for each figure whether its rank is national, as the draft does', () => {
  const numbers = { percentiles: { county: null, state: null, national: 99 }, averages: { national: 8.5 } };
  const { system, user } = narrativePrompt(
    sampleFacts({
      poverty_rate: { value: 40, ...numbers, among: 'known' },
      median_age: { value: 40, ...numbers, among: 'dataset' },
      uninsured_rate: { value: 40, ...numbers },
    }),
  );
  const [, data = ''] = user.split('\n');
  const figures: readonly Record<string, unknown>[] = JSON.parse(data).figures;
  const [poverty, uninsured, age] = ['poverty rate', 'uninsured rate', 'median age'].map((name) =>
    figures.find(({ label }) => label === name),
  );
  expect(poverty).toMatchObject({
    percentile: { tracts_with_value: 99 },
    tract_average: { tracts_with_value: '8.5%' },
  });
  expect(Object.keys(Object(poverty?.percentile))).toEqual(['tracts_with_value']);
  expect(age).toMatchObject({ percentile: { loaded_tracts: 99 }, tract_average: { loaded_tracts: '8.5 years' } });
  expect(uninsured).toMatchObject({ percentile: { national: 99 }, tract_average: { national: '8.5%' } });
  expect(user).toContain('poverty rate (40%; higher than in 99% of the tracts in this dataset that have this measure)');
  expect(system).toContain('"tracts_with_value"');
});

test('the draft does not say how it was written, which would not be true of the text that a model makes of it', () => {
  const { user } = narrativePrompt(sampleFacts());
  expect(user).toContain('Draft:\n');
  expect(user).not.toContain('was written from');
  expect(rulesText(sampleFacts())).toContain('was written from');
});
