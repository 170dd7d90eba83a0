import { expect, it } from 'vitest';
import { type Suite, type SuiteContext, WrongAnswerError } from '../../../bench/lib/suite.js';
import { runSuites } from '../../../bench/run-suites.js';

const context: SuiteContext = {
  datasetsDir: '',
  inputDir: '',
  tempDir: '',
  sampleSeconds: 1,
  soakMinutes: 1,
  registryRows: [],
  providerCount: 1,
  note: () => {},
};
const suite = (run: Suite) => async () => run;

it('reports a suite that cannot even be loaded as failed, and runs the others', async () => {
  const suites = {
    broken: () => Promise.reject(new Error("Cannot find package 'pg'")),
    other: suite(async () => ({ skipped: 'no files' })),
  };
  expect(await runSuites(['broken', 'other'], suites, context, () => {})).toEqual({
    broken: { failed: "the suite ended with an error: Cannot find package 'pg'" },
    other: { skipped: 'no files' },
  });
});

it('tells of each suite before the next one begins, and of all that have ended until then', async () => {
  const told: string[] = [];
  const suites = {
    first: suite(async () => ({ skipped: 'no files' })),
    second: suite(async () => {
      told.push('second begins');
      throw new WrongAnswerError('2 + 2 is not 5');
    }),
  };
  const all = await runSuites(['first', 'second'], suites, context, (name, outcome, until) => {
    told.push(`${name}: ${JSON.stringify(outcome)}, of ${Object.keys(until).join(', ')}`);
  });
  expect(told).toEqual([
    'first: {"skipped":"no files"}, of first',
    'second begins',
    'second: {"failed":"2 + 2 is not 5"}, of first, second',
  ]);
  expect(all).toEqual({ first: { skipped: 'no files' }, second: { failed: '2 + 2 is not 5' } });
});
