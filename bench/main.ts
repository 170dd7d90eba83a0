/**
 * `npm run bench -- [suite…] [options]`; bench/README.md explains what is measured and how to read it. Exits 1 if any
 * answers were wrong or a suite ended with an error, 2 for a wrong command line. A missed target is reported in the table
 * but is not a failure, since machines differ.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError } from '../src/cli/cli-error.js';
import { messageOf } from '../src/core/message-of.js';
import { isFileSystemError } from '../src/platform/file-system-error.js';
import { type BenchCommand, readCommand, USAGE } from './command-line.js';
import { findUnreachable } from './http/reachable.js';
import { removeAtExit } from './lib/at-exit.js';
import { compareReports, formatComparison } from './lib/compare.js';
import { consumed } from './lib/consume.js';
import { describeEnvironment } from './lib/environment.js';
import { formatHtml } from './lib/html-page.js';
import { formatMarkdown, type Report } from './lib/report.js';
import { type SuiteContext, type SuiteOutcome, WrongAnswerError } from './lib/suite.js';
import { SUITES } from './suites.js';

async function main(args: string[]): Promise<number> {
  const command = readCommand(args);
  if (!command) {
    console.log(USAGE);
    return 0;
  }
  const { suites: names, settings } = command;
  const unreachable = settings.running && (await findUnreachable(settings.running.url));
  if (unreachable !== undefined) throw new CliError(unreachable, 1);
  const tempDir = mkdtempSync(join(tmpdir(), 'tract-context-bench-'));
  removeAtExit(tempDir);
  const environment = describeEnvironment();
  const suites = await runSuites(names, {
    ...settings,
    tempDir,
    note: (text) => console.error(`bench: ${text}`),
  });
  tell({ environment, suites, consumed: consumed() }, command);
  return Object.values(suites).some((outcome) => 'failed' in outcome) ? 1 : 0;
}

/** Prints the report, and writes it in every other format that was requested. */
function tell(report: Report, { outputs: { json, markdown, html }, earlier }: BenchCommand): void {
  const comparison = earlier && { against: earlier.file, of: compareReports(earlier.report, report) };
  const tables = [
    formatMarkdown(report),
    ...(comparison ? [formatComparison(comparison.of, comparison.against)] : []),
  ].join('\n\n');
  console.log(tables);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
  if (markdown !== undefined) writeFileSync(markdown, `${tables}\n`);
  if (html !== undefined) writeFileSync(html, formatHtml(report, comparison));
}

async function runSuites(names: readonly string[], context: SuiteContext): Promise<Record<string, SuiteOutcome>> {
  const outcomes: Record<string, SuiteOutcome> = {};
  for (const name of names) {
    const suite = await SUITES[name]?.();
    if (!suite) continue;
    const note = (text: string): void => context.note(`${name}: ${text}`);
    const outcome = await suite({ ...context, note }).catch((error: unknown) => asFailure(error, note));
    if ('skipped' in outcome) note(`skipped, ${outcome.skipped}`);
    outcomes[name] = outcome;
  }
  return outcomes;
}

/** Turns an error into a failed suite: the figures of the suites before it are kept, and the others still run. */
function asFailure(error: unknown, note: SuiteContext['note']): SuiteOutcome {
  if (error instanceof WrongAnswerError) return { failed: error.message };
  note(error instanceof Error && error.stack !== undefined ? error.stack : messageOf(error));
  return { failed: `the suite ended with an error: ${messageOf(error)}` };
}

// Exits explicitly: 'exit' handlers, which end the child processes, do not run when a signal kills this process.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof CliError) && !isFileSystemError(error)) throw error;
  console.error(`bench: ${error.message}`);
  return error instanceof CliError ? error.exitCode : 1;
});
