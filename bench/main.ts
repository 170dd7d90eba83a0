/**
 * `npm run bench -- [suite…] [options]`; bench/README.md says what is measured and how to read it. Exits 1 where answers
 * were wrong; a missed target is told in the table and is no failure, since machines differ.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { consumed } from './lib/consume.js';
import { describeEnvironment } from './lib/environment.js';
import { formatMarkdown } from './lib/report.js';
import { type Suite, type SuiteContext, type SuiteOutcome, WrongAnswerError } from './lib/suite.js';

// Loaded when asked for: a suite that runs processes has no use for the memory of one that runs here.
const SUITES: Readonly<Record<string, () => Promise<Suite>>> = {
  micro: async () => (await import('./micro/locate.js')).runMicro,
  load: async () => (await import('./load/load.js')).runLoad,
  start: async () => (await import('./start/start.js')).runStart,
};

const USAGE = `Usage: npm run bench -- [suite…] [options]

  suites: ${Object.keys(SUITES).join(', ')} (all, in this order)

  --dataset <dir>   datasets directory with a compiled dataset (datasets/compiled)
  --input <dir>     official files for load (../shared/data/raw)
  --json <file>     write the report with all samples as JSON`;

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      dataset: { type: 'string', default: 'datasets/compiled' },
      input: { type: 'string', default: '../shared/data/raw' },
      json: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const unknown = positionals.filter((name) => !Object.hasOwn(SUITES, name));
  if (values.help || unknown.length > 0) {
    console.log(unknown.length > 0 ? `There is no suite ${unknown.join(', ')}.\n\n${USAGE}` : USAGE);
    return values.help ? 0 : 2;
  }
  const note = (text: string): void => console.error(`bench: ${text}`);
  const tempDir = mkdtempSync(join(tmpdir(), 'tract-context-bench-'));
  const environment = describeEnvironment();
  const names = positionals.length > 0 ? positionals : Object.keys(SUITES);
  try {
    const context = { datasetsDir: values.dataset, inputDir: values.input, tempDir, note };
    const suites = await runSuites(names, context);
    const report = { environment, suites, consumed: consumed() };
    console.log(formatMarkdown(report));
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
    return Object.values(suites).some((outcome) => 'failed' in outcome) ? 1 : 0;
  } finally {
    rmSync(tempDir, { recursive: true, force: true });
  }
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

/** Wrong answers end their suite, not the run. */
function asFailure(error: unknown): SuiteOutcome {
  if (error instanceof WrongAnswerError) return { failed: error.message };
  throw error;
}

process.exitCode = await main(process.argv.slice(2));
