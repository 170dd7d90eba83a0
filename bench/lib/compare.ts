import { z } from 'zod';
import type { Report } from './report.js';

/** JSON has no NaN, such as the ratio of two rates of which both were 0; it writes null. */
const sampleSchema = z
  .number()
  .nullable()
  .transform((value) => value ?? Number.NaN);

/** What comparing needs of an earlier report; whatever else it holds is left alone. */
const earlierSchema = z.object({
  environment: z.object({ cpu: z.string(), node: z.string(), startedAt: z.string() }),
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

/** A report that a run with `--json` wrote. */
export type EarlierReport = z.output<typeof earlierSchema>;

/** Reads a report. Throws where the text is none. */
export function parseReport(text: string): EarlierReport {
  return earlierSchema.parse(JSON.parse(text));
}

/** One figure, then and now. */
export interface Change {
  readonly suite: string;
  readonly name: string;
  readonly unit: string;
  readonly before: number;
  readonly after: number;
  /** `better` and `worse` only where no sample of one run lies within the range of the other's. */
  readonly verdict: 'better' | 'worse' | 'within the noise' | 'too few samples';
}

export interface Comparison {
  /** What makes the two runs not quite comparable: another machine, Node or dataset. */
  readonly caveats: readonly string[];
  readonly changes: readonly Change[];
  /** Figures of but one of the two runs, as `suite: name`. */
  readonly gone: readonly string[];
  readonly added: readonly string[];
}

/** With fewer, that two ranges do not overlap says little. */
const LEAST_SAMPLES = 3;

/** Units of which less is better; of all others more is. */
const COSTS: ReadonlySet<string> = new Set(['ms', 's', 'µs', 'MiB', 'answers']);

/** What changed from an earlier run to this one, figure by figure. Suites that either did not run are left out. */
export function compareReports(earlier: EarlierReport, now: Pick<Report, 'environment' | 'suites'>): Comparison {
  const changes: Change[] = [];
  const gone: string[] = [];
  const added: string[] = [];
  const caveats = (['cpu', 'node'] as const).flatMap((what) =>
    earlier.environment[what] === now.environment[what]
      ? []
      : [`${what}: ${earlier.environment[what]} before, ${now.environment[what]} now`],
  );
  for (const [suite, outcome] of Object.entries(now.suites)) {
    const then = earlier.suites[suite];
    if (!then?.figures || !('figures' in outcome)) continue;
    const datasets = [then.datasets ?? {}, outcome.datasets].map((named) => Object.values(named).sort().join(', '));
    if (datasets[0] !== datasets[1]) caveats.push(`${suite}: dataset ${datasets[0]} before, ${datasets[1]} now`);
    const before = new Map(then.figures.map((entry) => [entry.name, entry]));
    for (const { name, unit, value, samples } of outcome.figures) {
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
          verdict: judge(old.samples, samples, unit),
        });
    }
    gone.push(...[...before.keys()].map((name) => `${suite}: ${name}`));
  }
  return { caveats, changes, gone, added };
}

function judge(before: readonly number[], after: readonly number[], unit: string): Change['verdict'] {
  if (Math.min(before.length, after.length) < LEAST_SAMPLES) return 'too few samples';
  const higher = Math.min(...after) > Math.max(...before);
  const lower = Math.max(...after) < Math.min(...before);
  if (!higher && !lower) return 'within the noise';
  return lower === COSTS.has(unit) ? 'better' : 'worse';
}

/** The comparison as Markdown. */
export function formatComparison(comparison: Comparison, against: string): string {
  const { caveats, changes, gone, added } = comparison;
  const rows = changes.map(({ suite, name, unit, before, after, verdict }) => {
    const shift = before === 0 ? '' : `${after >= before ? '+' : ''}${Math.round((after / before - 1) * 100)}%`;
    return `| ${suite}: ${name} | ${rounded(before)} ${unit} | ${rounded(after)} ${unit} | ${shift} | ${verdict} |`;
  });
  return [
    `### Compared with ${against}`,
    [
      ...caveats.map((caveat) => `- Not the same ${caveat}`),
      ...gone.map((name) => `- No longer measured: ${name}`),
      ...added.map((name) => `- New: ${name}`),
    ].join('\n'),
    ['| what | before | now | change | |', '|---|---:|---:|---:|---|', ...rows].join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const rounded = (value: number): string =>
  Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
