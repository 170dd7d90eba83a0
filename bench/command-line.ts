import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CliError } from '../src/cli/cli-error.js';
import { type ParsedOptions, parseOptions } from '../src/cli/options.js';
import { fileSystemReason, isFileSystemError } from '../src/platform/file-system-error.js';
import { type EarlierReport, parseReport } from './lib/compare.js';
import type { SuiteContext } from './lib/suite.js';
import { LEAST_PROVIDERS } from './providers/least-providers.js';
import { SUITES, SUITES_OF_RUNNING } from './suites.js';

const USAGE = `Usage: npm run bench -- [suite…] [options]

  suites: ${Object.keys(SUITES).join(', ')} (all, in this order)

  --dataset <dir>   datasets directory with a compiled dataset (datasets/compiled)
  --input <dir>     official files for load and geocode (../shared/data/raw)
  --seconds <n>     length of one sample under load (2), in http and peers, of geocode and providers over HTTP, in
                    processes, soak, and webhooks (1 at most)
  --minutes <n>     length of soak (2)
  --rows <n,n>      number of registry rows that providers loads (1000000,4000000)
  --providers <n>   number of providers that providers searches (2000000)
  --url <base>      measure a running service, with ${SUITES_OF_RUNNING.join(', ')} only
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
  key: { type: 'string' },
  json: { type: 'string' },
  markdown: { type: 'string' },
  html: { type: 'string' },
  compare: { type: 'string' },
} as const;

type Values = ParsedOptions<typeof OPTIONS>['values'];

/** What a command line asks the bench for. */
export interface BenchCommand {
  /** Names of suites, each once. */
  readonly suites: readonly string[];
  readonly settings: Omit<SuiteContext, 'tempDir' | 'note'>;
  /** The files to write the report to, by format. */
  readonly outputs: Pick<Values, 'json' | 'markdown' | 'html'>;
  /** The report to compare with. */
  readonly earlier?: { readonly file: string; readonly report: EarlierReport };
}

/**
 * Reads the command line; prints the usage and returns undefined if that is asked for. Everything that can be wrong with it
 * is found before a suite runs, since a run can take an hour: throws CliError for an argument that makes no sense, for a file
 * to compare with that is no report, and for a file that could not be written.
 */
export function readCommand(args: string[]): BenchCommand | undefined {
  const parsed = parseOptions(args, OPTIONS, USAGE, { positionals: true });
  if (!parsed) return undefined;
  const { values, positionals } = parsed;
  const { json, markdown, html, compare } = values;
  const files = [json, markdown, html].filter((file) => file !== undefined);
  if (new Set(files.map((file) => resolve(file))).size < files.length)
    throw wrongUsage('--json, --markdown and --html need a file each');
  for (const file of files) requireWritable(file);
  return {
    suites: suitesFor(positionals, values),
    settings: {
      datasetsDir: values.dataset,
      inputDir: values.input,
      sampleSeconds: positive('seconds', values.seconds),
      soakMinutes: positive('minutes', values.minutes),
      registryRows: values.rows.split(',').map((rows) => Math.ceil(positive('rows', rows))),
      providerCount: Math.ceil(positive('providers', values.providers, LEAST_PROVIDERS)),
      ...(values.url === undefined ? {} : { running: { url: httpUrl(values.url), key: values.key ?? '' } }),
    },
    outputs: values,
    ...(compare === undefined ? {} : { earlier: { file: compare, report: readReport(compare) } }),
  };
}

/** The suites that are asked for by name, or else all that can run. */
function suitesFor(names: readonly string[], { url, key }: Pick<Values, 'url' | 'key'>): string[] {
  const unknown = names.filter((name) => !Object.hasOwn(SUITES, name));
  if (unknown.length > 0) throw wrongUsage(`unknown suite ${unknown.join(', ')}`);
  if (url === undefined && key !== undefined)
    throw wrongUsage('--key is the key for a running service: give its --url');
  const possible = url === undefined ? Object.keys(SUITES) : SUITES_OF_RUNNING;
  const impossible = names.filter((name) => !possible.includes(name));
  if (impossible.length > 0)
    throw wrongUsage(
      `${impossible.join(', ')} cannot measure a running service (--url): only ${possible.join(', ')} can`,
    );
  return names.length > 0 ? [...new Set(names)] : [...possible];
}

function positive(name: string, text: string, least = 0): number {
  const value = Number(text);
  if (value > 0 && value >= least && Number.isFinite(value)) return value;
  const accepted = least > 0 ? `a number from ${least} on` : 'a number above 0';
  throw wrongUsage(`--${name} is ${JSON.stringify(text)}; accepted: ${accepted}`);
}

/** The base URL without slashes at its end. The load client speaks nothing but HTTP itself. */
function httpUrl(text: string): string {
  if (URL.canParse(text) && new URL(text).protocol === 'http:') return text.replace(/\/+$/, '');
  throw wrongUsage(
    `--url is ${JSON.stringify(text)}; accepted: a URL such as http://127.0.0.1:8000, behind any proxy that speaks HTTPS`,
  );
}

function readReport(file: string): EarlierReport {
  try {
    return parseReport(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = isFileSystemError(error) ? error.message : 'it is no report that --json wrote';
    throw new CliError(`--compare ${file} cannot be used: ${reason}`, 1);
  }
}

/** Checks what can be known before the run, without leaving an empty file behind if that fails. */
function requireWritable(file: string): void {
  const exists = statSync(file, { throwIfNoEntry: false });
  try {
    if (exists?.isDirectory()) throw new CliError(`${file} cannot be written: it is a directory`, 1);
    accessSync(exists ? file : dirname(file), constants.W_OK);
  } catch (error) {
    const reason = fileSystemReason(error);
    throw reason === undefined ? error : new CliError(`${file} cannot be written: ${reason}`, 1);
  }
}

const wrongUsage = (problem: string): CliError => new CliError(`${problem}\n\n${USAGE}`, 2);
