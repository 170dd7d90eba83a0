import type { Environment } from './environment.js';
import { type Figure, meetsTarget, type SuiteOutcome } from './suite.js';

/** The complete result of a run. */
export interface Report {
  readonly environment: Environment;
  readonly suites: Readonly<Record<string, SuiteOutcome>>;
  /** The sum of all consumed results; see `consume`. */
  readonly consumed: number;
}

/** Formats the report as Markdown: the machine, then one table per suite. */
export function formatMarkdown({ environment, suites }: Report): string {
  return [
    describeMachine(environment),
    ...Object.entries(suites).map(([name, outcome]) => formatSuite(name, outcome)),
  ].join('\n\n');
}

/** One line about the machine, the runtime, the length of samples and the date of the run. */
export function describeMachine(environment: Environment): string {
  const { cpu, cores, memoryGib, system, node, loadBefore, startedAt, sampleSeconds } = environment;
  const machine = `${cpu}, ${cores} cores, ${memoryGib} GiB, ${system}; Node ${node}; load before the run ${loadBefore}`;
  return `${machine}; samples of ${sampleSeconds} s; ${startedAt.slice(0, 10)}`;
}

/** One suite as Markdown: a heading, what was checked, and the table. */
export function formatSuite(name: string, outcome: SuiteOutcome): string {
  const heading = `### ${name}`;
  if ('skipped' in outcome) return `${heading}\n\nSkipped: ${outcome.skipped}.`;
  if ('failed' in outcome) return `${heading}\n\n**Failed**: ${outcome.failed}.`;
  const datasets = Object.entries(outcome.datasets).map(([what, generation]) => `- Dataset ${generation}: ${what}`);
  const checks = outcome.checks.map((check) => `- Checked: ${check}`);
  const rows = outcome.figures.map((entry) => `| ${tableCells(entry).join(' | ')} |`);
  const table = ['| what | median | least – most | target |', '|---|---:|---:|---|', ...rows];
  return [heading, [...datasets, ...checks].join('\n'), table.join('\n')].join('\n\n');
}

/** The cells of a figure's table row: name, median, range, target. */
export function tableCells(entry: Figure): string[] {
  return [entry.name, shown(entry.value, entry), range(entry), formatTarget(entry)];
}

function range(entry: Figure): string {
  return `${digits(Math.min(...entry.samples))} – ${digits(Math.max(...entry.samples))}`;
}

function formatTarget(entry: Figure): string {
  if (!entry.target) return '';
  const { sign, bound } = entry.target;
  return `${sign} ${bound} ${entry.unit}: ${meetsTarget(entry) ? 'kept' : '**missed**'}`;
}

const shown = (value: number, { unit }: Figure): string => `${digits(value)} ${unit}`;

/** A number for people: three significant digits, or all before the decimal point, without an exponent. */
export function digits(value: number): string {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
