import { openAddressLocator } from '../../geocode/address-locator.js';
import { compile } from '../../load/compile.js';
import { WORK_IN_THREADS } from '../../load/outlines/outline-work.js';
import { describeReplaced } from '../../load/update/compare-coverage.js';
import { CliError } from '../cli-error.js';
import { withLoaderErrors } from '../loader-errors.js';
import { parseOptions } from '../options.js';
import { describeCommit } from '../published-generation.js';
import { prepareReport } from '../report-file.js';
import { readStates } from '../state-filter.js';
import { withProgress } from '../with-progress.js';

const USAGE = `Usage: tract-context compile --input <dir> [--input <dir> …] --output <dir> [options]

  --input <dir>      directory with official files, zipped, gzipped or plain, at any depth; repeatable
  --output <dir>     datasets directory to publish to
  --states <list>    load only these states: FIPS codes or abbreviations, such as 10,11,27
  --territories      also load Puerto Rico and the island areas
  --all-providers    keep providers of every taxonomy, not only those with a provider type
  --report <file>    write a JSON report of all rows: loaded, rejected and left out`;

/** `compile`: compiles official files into a published dataset. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseOptions(
    args,
    {
      input: { type: 'string', multiple: true },
      output: { type: 'string' },
      states: { type: 'string' },
      territories: { type: 'boolean' },
      'all-providers': { type: 'boolean' },
      report: { type: 'string' },
    },
    USAGE,
  );
  if (!parsed) return 0;
  const { values } = parsed;
  const { input: inputDirs = [], output: outputDir } = values;
  if (inputDirs.length === 0 || outputDir === undefined)
    throw new CliError(`--input and --output are required\n\n${USAGE}`, 2);
  const filter = { ...readStates(values), allProviders: values['all-providers'] ?? false };
  prepareReport(values.report);
  return await withProgress(async (progress) => {
    const published = await withLoaderErrors(outputDir, () =>
      compile(
        {
          inputDirs,
          outputDir,
          filter,
          openAddressLocator,
          outlineWork: WORK_IN_THREADS,
          reportPath: values.report,
        },
        progress,
      ),
    );
    progress.line(describeCommit(outputDir, published));
    for (const line of describeReplaced(outputDir, published)) progress.line(line);
    return 0;
  });
}
