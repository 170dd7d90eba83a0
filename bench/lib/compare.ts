import { z } from 'zod';
import { digits, type Report } from './report.js';
import { type Better, betterOf } from './suite.js';

/** JSON has no NaN (which the ratio of two zero rates is, for example): `JSON.stringify` writes null instead. */
const sampleSchema = z
  .number()
  .nullable()
  .transform((value) => value ?? Number.NaN);

/** The part of an earlier report that a comparison needs; all other fields are ignored. */
const earlierSchema = z.object({
  environment: z.object({
    cpu: z.string(),
    cores: z.number(),
    node: z.string(),
    startedAt: z.string(),
    // Reports of November 2026 lack it.
    sampleSeconds: z.number().optional(),
  }),
  suites: z.record(
    z.string(),
    z.object({
      datasets: z.record(z.string(), z.string()).optional(),
      figures: z
        .array(z.object({ name: z.string(), unit: z.string(), value: sampleSchema, samples: z.array(sampleSchema) }))
        .optional(),
    }),
  ),
});

/** A report that an earlier run wrote with `--json`. */
export type EarlierReport = z.output<typeof earlierSchema>;

/** Parses a report. Throws if the text is not one. */
export function parseReport(text: string): EarlierReport {
  return earlierSchema.parse(JSON.parse(text));
}

/** One figure, as measured in the earlier run and in this one. */
export interface Change {
  readonly suite: string;
  readonly name: string;
  readonly unit: string;
  readonly before: number;
  readonly after: number;
  /** `better`, `worse`, or `different` where neither is known, only if the ranges of the runs' samples do not overlap. */
  readonly verdict: 'better' | 'worse' | 'different' | 'within the noise' | 'too few samples';
}

export interface Comparison {
  /** Why the two runs are not quite comparable: a different processor, Node version, length of samples or dataset. */
  readonly caveats: readonly string[];
  readonly changes: readonly Change[];
  /** Figures that only the earlier run has (`gone`) or only this one (`added`), as `suite: name`. */
  readonly gone: readonly string[];
  readonly added: readonly string[];
}

/** What should be the same in both runs, by its name. */
const COMPARED: Readonly<Record<string, (environment: EarlierReport['environment']) => string | number | undefined>> = {
  cpu: ({ cpu }) => cpu,
  'number of cores': ({ cores }) => cores,
  node: ({ node }) => node,
  '--seconds': ({ sampleSeconds }) => sampleSeconds,
};

/** With fewer samples, two ranges that do not overlap prove little. */
const LEAST_SAMPLES = 3;

/** Compares this run with an earlier one, figure by figure. Leaves out suites that only one of the two runs measured. */
export function compareReports(earlier: EarlierReport, now: Pick<Report, 'environment' | 'suites'>): Comparison {
  const changes: Change[] = [];
  const gone: string[] = [];
  const added: string[] = [];
  const caveats = Object.entries(COMPARED).flatMap(([name, of]) => {
    const [before, after] = [of(earlier.environment), of(now.environment)];
    return before === undefined || before === after ? [] : [`${name}: ${before} before, ${after} now`];
  });
  for (const [suite, outcome] of Object.entries(now.suites)) {
    const then = earlier.suites[suite];
    if (!then?.figures || !('figures' in outcome)) continue;
    const datasets = [then.datasets ?? {}, outcome.datasets].map((named) => Object.values(named).sort().join(', '));
    if (datasets[0] !== datasets[1]) caveats.push(`${suite}: dataset ${datasets[0]} before, ${datasets[1]} now`);
    const before = new Map(then.figures.map((entry) => [entry.name, entry]));
    for (const entry of outcome.figures) {
      const { name, unit, value, samples } = entry;
      const old = before.get(name);
      before.delete(name);
      if (!old) added.push(`${suite}: ${name}`);
      else
        changes.push({
          suite,
          name,
          unit,
          before: old.value,
          after: value,
          verdict: judge(old.samples, samples, betterOf(entry)),
        });
    }
    gone.push(...[...before.keys()].map((name) => `${suite}: ${name}`));
  }
  return { caveats, changes, gone, added };
}

function judge(before: readonly number[], after: readonly number[], better: Better | undefined): Change['verdict'] {
  if (Math.min(before.length, after.length) < LEAST_SAMPLES) return 'too few samples';
  const higher = Math.min(...after) > Math.max(...before);
  const lower = Math.max(...after) < Math.min(...before);
  if (!higher && !lower) return 'within the noise';
  if (better === undefined) return 'different';
  return lower === (better === 'less') ? 'better' : 'worse';
}

/** What a reader should know before the figures: what makes the runs not comparable, and figures of one run alone. */
export function remarksOn({ caveats, gone, added }: Comparison): string[] {
  return [
    ...caveats.map((caveat) => `Not the same ${caveat}`),
    ...gone.map((name) => `No longer measured: ${name}`),
    ...added.map((name) => `New: ${name}`),
  ];
}

/** By how much a figure has changed, in percent; empty if that cannot be said. */
export function shift(before: number, after: number): string {
  const percent = Math.round(((after - before) / Math.abs(before)) * 100);
  return Number.isFinite(percent) ? `${percent >= 0 ? '+' : ''}${percent}%` : '';
}

/** The comparison as Markdown. */
export function formatComparison(comparison: Comparison, against: string): string {
  const rows = comparison.changes.map(({ suite, name, unit, before, after, verdict }) => {
    const [then, now] = [before, after].map((value) => `${digits(value)} ${unit}`);
    return `| ${suite}: ${name} | ${then} | ${now} | ${shift(before, after)} | ${verdict} |`;
  });
  return [
    `### Compared with ${against}`,
    remarksOn(comparison)
      .map((remark) => `- ${remark}`)
      .join('\n'),
    ['| what | before | now | change | |', '|---|---:|---:|---:|---|', ...rows].join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
