/**
 * `npm run bench -- [suite…] [options]`; bench/README.md explains what is measured and how to read it. Exits 1 if any
 * answers were wrong or a suite ended with an error, 2 for a wrong command line. A missed target is reported in the table
 * but is not a failure, since machines differ. Each suite is told of as soon as it ends.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError } from '../src/cli/cli-error.js';
import { isFileSystemError } from '../src/platform/file-system-error.js';
import { type BenchCommand, readCommand } from './command-line.js';
import { findUnreachable } from './http/reachable.js';
import { removeAtExit } from './lib/at-exit.js';
import { compareReports, formatComparison } from './lib/compare.js';
import { consumed } from './lib/consume.js';
import { describeEnvironment } from './lib/environment.js';
import { formatHtml } from './lib/html-page.js';
import { describeMachine, formatMarkdown, formatSuite, type Report } from './lib/report.js';
import { runSuites } from './run-suites.js';
import { SUITES } from './suites.js';

async function main(args: string[]): Promise<number> {
  const command = readCommand(args);
  if (!command) return 0;
  const { suites: names, settings } = command;
  const unreachable = settings.running && (await findUnreachable(settings.running.url));
  if (unreachable !== undefined) throw new CliError(unreachable, 1);
  const tempDir = mkdtempSync(join(tmpdir(), 'tract-context-bench-'));
  removeAtExit(tempDir);
  const environment = describeEnvironment(settings.sampleSeconds);
  console.log(describeMachine(environment));
  const context = { ...settings, tempDir, note: (text: string) => console.error(`bench: ${text}`) };
  const suites = await runSuites(names, SUITES, context, (name, outcome, finished) => {
    console.log(`\n${formatSuite(name, outcome)}`);
    writeReport({ environment, suites: finished, consumed: consumed() }, command);
  });
  const comparison = compare({ environment, suites }, command);
  if (comparison) console.log(`\n${formatComparison(comparison.of, comparison.against)}`);
  return Object.values(suites).some((outcome) => 'failed' in outcome) ? 1 : 0;
}

/** Writes the report in every format that was requested, over that of fewer suites. */
function writeReport(report: Report, command: BenchCommand): void {
  const { json, markdown, html } = command.outputs;
  const comparison = compare(report, command);
  const compared = comparison ? [formatComparison(comparison.of, comparison.against)] : [];
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
  if (markdown !== undefined) writeFileSync(markdown, `${[formatMarkdown(report), ...compared].join('\n\n')}\n`);
  if (html !== undefined) writeFileSync(html, formatHtml(report, comparison));
}

/** What changed since the earlier report, if there is one to compare with. */
function compare(report: Pick<Report, 'environment' | 'suites'>, { earlier }: BenchCommand) {
  return earlier && { against: earlier.file, of: compareReports(earlier.report, report) };
}

// Exits explicitly: 'exit' handlers, which end the child processes, do not run when a signal kills this process. The suites
// that have ended are told of by then. SIGHUP comes when the terminal is closed; a service takes it for a reload and stays.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}
const exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof CliError) && !isFileSystemError(error)) throw error;
  console.error(`bench: ${error.message}`);
  return error instanceof CliError ? error.exitCode : 1;
});
// A child process that a failed suite has left behind would keep this one alive for ever.
process.exit(exitCode);
