import { previewFetch } from '../../load/fetch/preview.js';
import { CliError } from '../cli-error.js';
import { FETCH_KEYS, readCommandSettings } from '../command-settings.js';
import { FETCH_OPTIONS, FETCH_OPTIONS_USAGE, readSelection } from '../fetch/fetch-arguments.js';
import { runFetch, withFetchErrors } from '../fetch/run-fetch.js';
import { parseOptions } from '../options.js';
import { readCatalog } from '../source-catalog.js';
import { withProgress } from '../with-progress.js';

const USAGE = `Usage: tract-context fetch --output <dir> [options]

  --output <dir>        directory to download to; pass it to compile as --input
${FETCH_OPTIONS_USAGE}
  --dry-run             list addresses and sizes without downloading anything

You can stop it at any time. Run the same command again to continue; later runs download only what changed.`;

/** `fetch`: downloads official files from their agencies or a mirror. Exits 1 if any could not be fetched. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseOptions(
    args,
    { output: { type: 'string' }, ...FETCH_OPTIONS, 'dry-run': { type: 'boolean' } },
    USAGE,
  );
  if (!parsed) return 0;
  const { values } = parsed;
  const { output: outputDir } = values;
  if (outputDir === undefined) throw new CliError(`--output is required\n\n${USAGE}`, 2);
  const config = readCommandSettings(FETCH_KEYS);
  const catalog = readCatalog();
  const wanted = { outputDir, catalog, selection: readSelection(values, catalog, config.censusApiKey) };
  if (values['dry-run']) {
    const lines = await withFetchErrors(outputDir, () => previewFetch(wanted));
    console.log(lines.join('\n'));
    return 0;
  }
  return await withProgress(async (progress) => ((await runFetch({ ...wanted, progress }, config)) ? 0 : 1));
}
