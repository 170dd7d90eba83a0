import { CatalogError } from '../../catalog/directory/catalog-error.js';
import { requireAllFiles } from '../../catalog/directory/generation-name.js';
import { generationPath, readPublished } from '../../catalog/directory/generations.js';
import { WithdrawnGenerationError } from '../../catalog/directory/publish.js';
import { isWithdrawn } from '../../catalog/directory/withdrawn.js';
import { openDataset } from '../../format/dataset.js';
import { FormatError } from '../../format/format-error.js';
import { openAddressLocator } from '../../geocode/address-locator.js';
import { compile } from '../../load/compile.js';
import { WORK_IN_THREADS } from '../../load/outlines/outline-work.js';
import type { Progress } from '../../load/progress.js';
import { writeReport } from '../../load/report/write-report.js';
import {
  compareDatasets,
  type DatasetComparison,
  describeComparison,
  refuseLosses,
} from '../../load/update/compare-datasets.js';
import { SMALL_LOSS_SHARE } from '../../load/update/coverage.js';
import { fingerprintInput, generationCompiledFrom, rememberCompiled } from '../../load/update/input-state.js';
import { fileSystemReason } from '../../platform/file-system-error.js';
import { CONNECTION_OPTIONS, connectionUsage, readConnection } from '../admin/connect.js';
import { reloadService } from '../admin/reload-service.js';
import { CliError } from '../cli-error.js';
import { FETCH_KEYS, readCommandSettings } from '../command-settings.js';
import { FETCH_OPTIONS, FETCH_OPTIONS_USAGE, readSelection } from '../fetch/fetch-arguments.js';
import { runFetch } from '../fetch/run-fetch.js';
import { withLoaderErrors } from '../loader-errors.js';
import { type ParsedOptions, parseOptions } from '../options.js';
import { describeCommit } from '../published-generation.js';
import { prepareReport } from '../report-file.js';
import { readCatalog } from '../source-catalog.js';
import { readStates } from '../state-filter.js';
import { withProgress } from '../with-progress.js';

const OPTIONS = {
  input: { type: 'string' },
  output: { type: 'string' },
  ...FETCH_OPTIONS,
  'all-providers': { type: 'boolean' },
  'max-loss': { type: 'string' },
  force: { type: 'boolean' },
  report: { type: 'string' },
  'no-fetch': { type: 'boolean' },
  'no-reload': { type: 'boolean' },
  ...CONNECTION_OPTIONS,
} as const;

const USAGE = `Usage: tract-context update [options]

  --input <dir>         directory to download to and compile from (datasets/raw)
  --output <dir>        datasets directory to publish to (DATASETS_DIR)
${FETCH_OPTIONS_USAGE}
  --all-providers       keep providers of every taxonomy
  --max-loss <percent>  refuse to publish if a state loses more than this share of anything (default 2)
  --force               publish regardless of losses, and again what was rolled back from
  --report <file>       write the comparison with the published dataset as JSON
  --no-fetch            use the files as they are, without downloading
  --no-reload           do not reload the running service
${connectionUsage(22)}

--states and --territories also decide what is loaded. --sources, --year, --trend-years and --from-mirror concern the
download alone: every file in the directory is compiled.`;

type Values = ParsedOptions<typeof OPTIONS>['values'];

/** The folders that an update reads from and publishes into. */
interface Folders {
  readonly inputDir: string;
  readonly outputDir: string;
}

/**
 * `update`: fetches what changed, compiles, compares with the published dataset, publishes, and makes the running service
 * reload. Exits 1 if a file could not be fetched, although the others were used.
 */
export async function run(args: string[]): Promise<number> {
  const parsed = parseOptions(args, OPTIONS, USAGE);
  if (!parsed) return 0;
  const { values } = parsed;
  const config = readCommandSettings(['datasetsDir', ...FETCH_KEYS]);
  // Reports wrong connection options before anything is fetched.
  if (!values['no-reload']) readConnection(values);
  const folders = { inputDir: values.input ?? 'datasets/raw', outputDir: values.output ?? config.datasetsDir };
  const maxLossShare = readMaxLoss(values['max-loss']);
  const catalog = readCatalog();
  const selection = readSelection(values, catalog, config.censusApiKey);
  prepareReport(values.report);
  return await withProgress(async (progress) => {
    const fetching = { outputDir: folders.inputDir, catalog, selection, progress };
    const complete = values['no-fetch'] || (await runFetch(fetching, config));
    await publish(folders, values, maxLossShare, progress);
    // Even if nothing was published: an earlier update may have been stopped just before its reload.
    if (!values['no-reload']) progress.line(await reloadService(values));
    return complete ? 0 : 1;
  });
}

/** Compiles and publishes the files, unless the published generation was compiled from these very files. */
async function publish(folders: Folders, values: Values, maxLossShare: number, progress: Progress): Promise<void> {
  const { inputDir, outputDir } = folders;
  const filter = { ...readStates(values), allProviders: values['all-providers'] ?? false };
  await withLoaderErrors(outputDir, async () => {
    const fingerprint = fingerprintInput(inputDir, { ...filter, states: filter.states && [...filter.states].sort() });
    const before = findPublishedDataset(outputDir, progress);
    const known = generationCompiledFrom(outputDir, fingerprint);
    const unchanged = (why: string): void => {
      progress.line(`${why}; nothing changed`);
      if (before) reportChanges(values.report, () => compareDatasets(before.directory, before.directory));
    };
    if (before && before.generation === known) {
      return unchanged(`${known} in ${outputDir} was compiled from these files already`);
    }
    if (before && known !== undefined && !values.force && isWithdrawn(outputDir, known)) {
      return unchanged(describeWithdrawn(known));
    }
    const review = (directory: string): void => {
      // With the generation published at this moment: a rollback may have happened since the update began.
      const former = before && findPublishedDataset(outputDir, progress);
      const comparison = compareDatasets(former?.directory, directory, maxLossShare);
      reportChanges(values.report, () => comparison);
      if (!former) return;
      for (const line of describeComparison(comparison)) progress.line(line);
      if (!values.force) refuseLosses(comparison, maxLossShare);
    };
    // Where nothing is published, anything is better than nothing.
    const evenIfWithdrawn = values.force || !before;
    try {
      const options = { inputDirs: [inputDir], outputDir, filter, review, evenIfWithdrawn, holder: 'update' };
      const published = await compile({ ...options, openAddressLocator, outlineWork: WORK_IN_THREADS }, progress);
      progress.line(describeCommit(outputDir, published));
      remember(outputDir, published.generation, fingerprint, progress);
    } catch (error) {
      if (!(error instanceof WithdrawnGenerationError)) throw error;
      unchanged(describeWithdrawn(error.generation));
      remember(outputDir, error.generation, fingerprint, progress);
    }
  });
}

function describeWithdrawn(generation: string): string {
  return `These files compile to ${generation}, which has been rolled back from: "update --force" publishes it again`;
}

/** Remembers what a generation was compiled from, as far as the disk allows: the update has done its work all the same. */
function remember(outputDir: string, generation: string, fingerprint: string, progress: Progress): void {
  try {
    rememberCompiled(outputDir, generation, fingerprint);
  } catch (error) {
    const reason = fileSystemReason(error);
    if (reason === undefined) throw error;
    progress.line(`What it was compiled from cannot be recorded, so the next update compiles again: ${reason}`);
  }
}

/** The published generation; undefined if there is none, or it is damaged, incomplete or of an older format. */
function findPublishedDataset(
  outputDir: string,
  progress: Progress,
): { generation: string; directory: string } | undefined {
  try {
    const generation = readPublished(outputDir);
    if (generation === undefined) return undefined;
    const directory = generationPath(outputDir, generation);
    requireAllFiles(openDataset(directory)).release();
    return { generation, directory };
  } catch (error) {
    if (!(error instanceof FormatError || error instanceof CatalogError)) throw error;
    progress.line(`The published dataset cannot be read, so the new one is not compared with it: ${error.message}`);
    return undefined;
  }
}

/** Writes the report of an update, also of one that changes nothing, if it is asked for. */
function reportChanges(path: string | undefined, compare: () => DatasetComparison): void {
  if (path !== undefined) writeReport(path, compare());
}

function readMaxLoss(text: string | undefined): number {
  if (text === undefined) return SMALL_LOSS_SHARE;
  const percent = /^\d+(\.\d+)?%?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (!(percent <= 100)) throw new CliError(`--max-loss: ${text} is not a percentage from 0 to 100`, 2);
  return percent / 100;
}
