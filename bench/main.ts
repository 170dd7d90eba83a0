/**
 * `npm run bench -- [suite…] [options]`; bench/README.md explains what is measured and how to read it. Exits 1 if any
 * answers were wrong. A missed target is reported in the table but is not a failure, since machines differ.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findUnreachable } from './http/reachable.js';
import { removeAtExit } from './lib/at-exit.js';
import { compareReports, type EarlierReport, formatComparison, parseReport } from './lib/compare.js';
import { consumed } from './lib/consume.js';
import { describeEnvironment } from './lib/environment.js';
import { formatHtml } from './lib/html-page.js';
import { formatMarkdown, type Report } from './lib/report.js';
import { type Suite, type SuiteContext, type SuiteOutcome, WrongAnswerError } from './lib/suite.js';

// Imported on demand: a suite that measures other processes must not carry the memory of suites that run in this one.
const SUITES: Readonly<Record<string, () => Promise<Suite>>> = {
  micro: async () => (await import('./micro/micro.js')).runMicro,
  geocode: async () => (await import('./geocode/geocode.js')).runGeocode,
  load: async () => (await import('./load/load.js')).runLoad,
  providers: async () => (await import('./providers/providers.js')).runProviders,
  start: async () => (await import('./start/start.js')).runStart,
  http: async () => (await import('./http/http.js')).runHttp,
  processes: async () => (await import('./processes/processes.js')).runProcesses,
  reload: async () => (await import('./reload/reload.js')).runReload,
  webhooks: async () => (await import('./webhooks/webhooks.js')).runWebhooks,
  peers: async () => (await import('./peers/peers.js')).runPeers,
  soak: async () => (await import('./soak/soak.js')).runSoak,
};
/** The suites that can measure a service that is already running, over HTTP alone. */
const SUITES_OF_RUNNING = ['http'];

const USAGE = `Usage: npm run bench -- [suite…] [options]

  suites: ${Object.keys(SUITES).join(', ')} (all, in this order)

  --dataset <dir>   datasets directory with a compiled dataset (datasets/compiled)
  --input <dir>     official files for load and geocode (../shared/data/raw)
  --seconds <n>     length of one sample under load, in http and peers (2)
  --minutes <n>     length of soak (2)
  --rows <n,n>      number of registry rows that providers loads (1000000,4000000)
  --providers <n>   number of providers that providers searches (2000000)
  --url <base>      measure a running service, with http only
  --key <key>       API key for the running service
  --json <file>     write the report with all samples as JSON
  --markdown <file> also write the tables that go to stdout to a file
  --html <file>     write the report as a page, with curves and histograms
  --compare <file>  show what changed since the report in this JSON file`;

const OPTIONS = {
  dataset: { type: 'string', default: 'datasets/compiled' },
  input: { type: 'string', default: '../shared/data/raw' },
  seconds: { type: 'string', default: '2' },
  minutes: { type: 'string', default: '2' },
  rows: { type: 'string', default: '1000000,4000000' },
  providers: { type: 'string', default: '2000000' },
  url: { type: 'string' },
  key: { type: 'string', default: '' },
  json: { type: 'string' },
  markdown: { type: 'string' },
  html: { type: 'string' },
  compare: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

function readOptions(args: string[]) {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
  return { ...values, positionals };
}

async function main(args: string[]): Promise<number> {
  const options = readOptions(args);
  const { url, key, positionals } = options;
  const unknown = positionals.filter((name) => !Object.hasOwn(SUITES, name));
  if (options.help || unknown.length > 0) {
    console.log(unknown.length > 0 ? `Unknown suite: ${unknown.join(', ')}.\n\n${USAGE}` : USAGE);
    return options.help ? 0 : 2;
  }
  // Read before any suite runs, so that a mistyped file name does not waste a whole run.
  const earlier = options.compare === undefined ? undefined : parseReport(readFileSync(options.compare, 'utf8'));
  const unreachable = url === undefined ? undefined : await findUnreachable(url);
  if (unreachable !== undefined) {
    console.error(`bench: ${unreachable}`);
    return 1;
  }
  const tempDir = mkdtempSync(join(tmpdir(), 'tract-context-bench-'));
  removeAtExit(tempDir);
  const environment = describeEnvironment();
  const names = url !== undefined ? SUITES_OF_RUNNING : positionals.length > 0 ? positionals : Object.keys(SUITES);
  const suites = await runSuites(names, {
    datasetsDir: options.dataset,
    inputDir: options.input,
    tempDir,
    sampleSeconds: positive('seconds', options.seconds),
    soakMinutes: positive('minutes', options.minutes),
    registryRows: options.rows.split(',').map((rows) => Math.ceil(positive('rows', rows))),
    providerCount: Math.ceil(positive('providers', options.providers)),
    note: (text) => console.error(`bench: ${text}`),
    ...(url === undefined ? {} : { running: { url, key } }),
  });
  tell({ environment, suites, consumed: consumed() }, options, earlier);
  return Object.values(suites).some((outcome) => 'failed' in outcome) ? 1 : 0;
}

/** Prints the report, and writes it in every other format that was requested. */
function tell(report: Report, options: ReturnType<typeof readOptions>, earlier: EarlierReport | undefined): void {
  const { json, markdown, html, compare: against = '' } = options;
  const comparison = earlier && { against, of: compareReports(earlier, report) };
  const tables = [formatMarkdown(report), ...(comparison ? [formatComparison(comparison.of, against)] : [])].join(
    '\n\n',
  );
  console.log(tables);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
  if (markdown !== undefined) writeFileSync(markdown, `${tables}\n`);
  if (html !== undefined) writeFileSync(html, formatHtml(report, comparison));
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new Error(`--${name} is ${JSON.stringify(text)}; accepted: a number above 0`);
}

async function runSuites(names: readonly string[], context: SuiteContext): Promise<Record<string, SuiteOutcome>> {
  const outcomes: Record<string, SuiteOutcome> = {};
  for (const name of names) {
    const suite = await SUITES[name]?.();
    if (!suite) continue;
    const note = (text: string): void => context.note(`${name}: ${text}`);
    const outcome = await suite({ ...context, note }).catch(asFailure);
    if ('skipped' in outcome) note(`skipped, ${outcome.skipped}`);
    outcomes[name] = outcome;
  }
  return outcomes;
}

/** Turns wrong answers into a failed suite, so that the other suites still run; rethrows any other error. */
function asFailure(error: unknown): SuiteOutcome {
  if (error instanceof WrongAnswerError) return { failed: error.message };
  throw error;
}

// Exits explicitly: 'exit' handlers, which end the child processes, do not run when a signal kills this process.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
process.exitCode = await main(process.argv.slice(2));
