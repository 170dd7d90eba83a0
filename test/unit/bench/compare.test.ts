import { describe, expect, it } from 'vitest';
import { compareReports, formatComparison, parseReport, shift } from '../../../bench/lib/compare.js';
import type { Report } from '../../../bench/lib/report.js';
import { figure } from '../../../bench/lib/rounds.js';
import type { Figure } from '../../../bench/lib/suite.js';

const environment: Report['environment'] = {
  cpu: 'a processor',
  cores: 2,
  memoryGib: 8,
  system: 'linux',
  node: 'v20.20.2',
  v8: '11',
  loadBefore: 0,
  startedAt: '2026-01-02T03:04:05.000Z',
  sampleSeconds: 2,
};
const report = (figures: readonly Figure[], dataset = 'abc', node = environment.node): Report => ({
  environment: { ...environment, node },
  suites: { http: { datasets: { tracts: dataset }, checks: [], figures }, load: { skipped: 'no files' } },
  consumed: 0,
});
const verdicts = (before: Figure, after: Figure): string[] =>
  compareReports(parseReport(JSON.stringify(report([before]))), report([after])).changes.map(({ verdict }) => verdict);

describe('the comparison of two runs', () => {
  it('calls more answers better and more milliseconds worse', () => {
    expect(verdicts(figure('f', '/s', [10, 11, 12]), figure('f', '/s', [20, 21, 22]))).toEqual(['better']);
    expect(verdicts(figure('f', 'ms', [10, 11, 12]), figure('f', 'ms', [20, 21, 22]))).toEqual(['worse']);
    expect(verdicts(figure('f', 'ms', [20, 21, 22]), figure('f', 'ms', [10, 11, 12]))).toEqual(['better']);
  });

  it.each([
    ['a target’s sign, whatever the unit', figure('f', '%', [1], { sign: '≤', bound: 0 }), 'worse'],
    ['a target’s sign for a ratio', figure('f', '×', [1], { sign: '≤', bound: 3 }), 'worse'],
    ['a target’s sign against the unit', figure('f', 'ms', [1], { sign: '≥', bound: 3 }), 'better'],
    ['what the figure says', figure('f', '', [1], 'less'), 'worse'],
    ['what the figure says for a ratio', figure('f', '×', [1], 'more'), 'better'],
    ['nothing, as it is not known', figure('f', '×', [1]), 'different'],
  ] as const)('calls a rise better or worse by %s', (_, entry, verdict) => {
    const of = (samples: readonly number[]): Figure => ({ ...entry, samples });
    expect(verdicts(of([10, 11, 12]), of([20, 21, 22]))).toEqual([verdict]);
  });

  it('reports no change if the samples of both runs overlap', () => {
    expect(verdicts(figure('f', '/s', [10, 20, 12]), figure('f', '/s', [19, 40, 30]))).toEqual(['within the noise']);
  });

  it('does not judge fewer than three samples', () => {
    expect(verdicts(figure('f', '/s', [10, 11]), figure('f', '/s', [20, 21, 22]))).toEqual(['too few samples']);
  });

  it('leaves out suites that only one of the runs has measured', () => {
    const measured = report([figure('f', '/s', [1, 2, 3])]);
    const skipped: Report = { ...measured, suites: { http: { skipped: 'no dataset' } } };
    const other: Report = { ...measured, suites: {} };
    for (const [before, now] of [
      [skipped, measured],
      [measured, skipped],
      [other, measured],
    ] as const) {
      const comparison = compareReports(parseReport(JSON.stringify(before)), now);
      expect(comparison).toEqual({ caveats: [], changes: [], gone: [], added: [] });
    }
  });

  it('names figures of one run alone, and what makes the runs not comparable', () => {
    const before = parseReport(JSON.stringify(report([figure('old', '/s', [1])], 'abc', 'v18.0.0')));
    const comparison = compareReports(before, report([figure('new', '/s', [1])], 'def'));
    expect(comparison.gone).toEqual(['http: old']);
    expect(comparison.added).toEqual(['http: new']);
    expect(comparison.caveats).toEqual(['node: v18.0.0 before, v20.20.2 now', 'http: dataset abc before, def now']);
  });

  it('names another number of cores and another length of samples, unless the earlier report does not tell it', () => {
    const now = report([]);
    const caveats = (then: object): readonly string[] =>
      compareReports(parseReport(JSON.stringify({ ...now, environment: { ...environment, ...then } })), now).caveats;
    expect(caveats({ cores: 8, sampleSeconds: 0.1 })).toEqual([
      'number of cores: 8 before, 2 now',
      '--seconds: 0.1 before, 2 now',
    ]);
    expect(caveats({ sampleSeconds: undefined })).toEqual([]);
  });

  it('shows each change as a row with its percentage', () => {
    const before = parseReport(JSON.stringify(report([figure('f', '/s', [100, 99, 101])])));
    const text = formatComparison(compareReports(before, report([figure('f', '/s', [150, 149, 151])])), 'old.json');
    expect(text).toContain('| http: f | 100 /s | 150 /s | +50% | better |');
  });

  it.each([
    [100, 150, '+50%'],
    [100, 100, '+0%'],
    [-4, -2, '+50%'],
    [-4, -8, '-100%'],
    [-4, 4, '+200%'],
    [0, 4, ''],
    [Number.NaN, 4, ''],
  ])('gives the change from %d to %d as %j', (before, after, change) => {
    expect(shift(before, after)).toBe(change);
  });

  it('reads null, which stands for NaN', () => {
    expect(verdicts(figure('f', '×', [1, Number.NaN, 1]), figure('f', '×', [2, 2, 2]))).toEqual(['within the noise']);
  });

  it('refuses a file that is no report', () => {
    expect(() => parseReport('{"suites":[]}')).toThrow();
  });
});
