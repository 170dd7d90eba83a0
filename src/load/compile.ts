import { join } from 'node:path';
import {
  beginPublication,
  type CommittedGeneration,
  type Publication,
  type PublicationOptions,
} from '../catalog/publish.js';
import type { LoadedSource } from '../core/loaded-source.js';
import { OUTLINES_FILE } from '../format/outlines-file.js';
import { createBridge } from './bridge.js';
import { discoverFiles } from './files/discover.js';
import { requireUnchanged } from './files/unchanged.js';
import { formatReport } from './format-report.js';
import { InputError } from './input.js';
import { Intake, type LoadFilter } from './intake.js';
import { type JoinedTracts, joinLayers } from './join.js';
import { knownTracts } from './known-tracts.js';
import { fetchedFiles, listLoadedSources } from './loaded-sources.js';
import type { TractRow } from './model.js';
import { whyNoTract } from './no-tract.js';
import { type OutlineWork, WORK_HERE } from './outline-work.js';
import type { OutlinesWriting } from './outlines-writing.js';
import type { Progress } from './progress.js';
import type { OpenAddressLocator } from './providers/ground.js';
import { readInput } from './read-input.js';
import { recognizeFiles } from './recognize.js';
import {
  describeInput,
  filesByProduct,
  filesThatCount,
  type RecognizedInput,
  sourceFiles,
} from './recognized-input.js';
import { type CompileReport, createReport, type ReportedFiles } from './report.js';
import { readSourceCatalog, type SourceCatalog } from './source-catalog.js';
import { describeSuspect } from './suspect-file.js';
import { writeDataset } from './write-dataset.js';
import { writeReport } from './write-report.js';

export interface CompileOptions {
  readonly inputDirs: readonly string[];
  readonly outputDir: string;
  readonly filter: LoadFilter;
  /** Geocodes providers by their addresses, if address ranges are loaded. */
  readonly openAddressLocator?: OpenAddressLocator | undefined;
  /** Which thread does the work on outlines; by default this one. */
  readonly outlineWork?: OutlineWork | undefined;
  /** Where to write the report as JSON. */
  readonly reportPath?: string | undefined;
  readonly review?: ReviewDataset | undefined;
  /** Whether to publish even what a rollback went back from; true by default. */
  readonly evenIfWithdrawn?: boolean;
  /** The command that a concurrent compile into the same directory is told is running; `compile` by default. */
  readonly command?: string;
}

/** Inspects a written dataset before it is published; if it throws, nothing is published. */
export type ReviewDataset = (directory: string) => void;

/** The dataset that a compile published. */
export interface PublishedDataset extends CommittedGeneration {
  readonly report: CompileReport;
}

/** Too many rows of a file or source were rejected, or too many cells of a column unreadable; nothing was published. */
export class ThresholdError extends Error {
  override readonly name = 'ThresholdError';
}

/**
 * Compiles the official files below the input directories into a generation and publishes it. Throws `InputError` for a
 * file that is broken or must be refused, `ThresholdError`, `SourceCatalogError`, `DatasetsLockedError`, `ReportError`, and
 * file-system errors; nothing is published then. `WithdrawnGenerationError`, unless `evenIfWithdrawn`, says that a rollback
 * went back from what the files compile to, and nothing is published either. `UnconfirmedPublicationError` says that it was published nevertheless.
 */
export async function compile(options: CompileOptions, progress: Progress): Promise<PublishedDataset> {
  return publishing(
    options.outputDir,
    async (publication) => {
      // A mistake in it is told before the work, not after.
      const catalog = readSourceCatalog();
      const files = await discoverFiles(options.inputDirs);
      const input = await recognizeFiles(files);
      for (const line of describeInput(input)) progress.line(line);
      refuse(input, options.reportPath);
      const checkInput = (): void => requireUnchanged(filesThatCount(input, files.found));
      const intake = new Intake(options.filter);
      try {
        await readInput(input, intake, options.outlineWork ?? WORK_HERE, progress);
        checkInput();
        const how = { ...options, catalog, input, checkInput, synthetic: false };
        return await publishIntake(intake, publication, how, progress);
      } catch (error) {
        // What was removed or replaced meanwhile is not damaged: it need not be downloaded again.
        if (error instanceof InputError) checkInput();
        throw error;
      }
    },
    { holder: options.command ?? 'compile', evenIfWithdrawn: options.evenIfWithdrawn ?? true },
  );
}

/**
 * Holds the output directory's compile lock around the work. The lock is taken before anything is read, so that a second
 * compile or an unwritable directory fails at once. If the work fails, what it has written is removed.
 */
export async function publishing<T>(
  outputDir: string,
  work: (publication: Publication) => Promise<T>,
  options: Pick<PublicationOptions, 'holder' | 'evenIfWithdrawn'> = {},
): Promise<T> {
  const publication = beginPublication(outputDir, options);
  try {
    return await work(publication);
  } finally {
    publication.close();
  }
}

/** Ends the compile if a product must not be loaded; the report then lists what was found and what was refused. */
function refuse(input: RecognizedInput, reportPath: string | undefined): void {
  const { refused } = input;
  if (refused.length > 0 && reportPath !== undefined) {
    writeReport(reportPath, { ...reportedFiles(input), refused });
  }
  const reasons = refused.map(({ label, product, why }) => `${label} (${product}): ${why}`);
  if (reasons.length > 0) throw new InputError(reasons.join('\n'));
  if (input.texts.length + input.shapefiles.length + input.counties.length + input.places.length === 0)
    throw new InputError('the input has no file of a known source');
}

function reportedFiles(input: RecognizedInput): ReportedFiles {
  return { found: filesByProduct(input), ignored: input.ignored, suspect: input.suspect.map(describeSuspect) };
}

interface PublishOptions {
  readonly synthetic: boolean;
  /** By default read where it is needed, at the end. */
  readonly catalog?: SourceCatalog;
  readonly openAddressLocator?: OpenAddressLocator | undefined;
  readonly outlineWork?: OutlineWork | undefined;
  readonly reportPath?: string | undefined;
  readonly review?: ReviewDataset | undefined;
  /** The files that the intake was read from, and their directories; undefined if it was not read from files. */
  readonly input?: RecognizedInput | undefined;
  readonly inputDirs?: readonly string[];
  /** Throws if an input file has changed since it was discovered. */
  readonly checkInput?: () => void;
}

/** Joins, derives, writes, verifies and publishes what an intake holds. The demo nation enters the pipeline here. */
export async function publishIntake(
  intake: Intake,
  publication: Publication,
  options: PublishOptions,
  progress: Progress,
): Promise<PublishedDataset> {
  const tracts = intake.tracts();
  if (tracts.length === 0) throw withoutTract(intake, options, progress);
  const { beginWriting } = options.outlineWork ?? WORK_HERE;
  // From here on the intake is only asked whether a tract has an outline, never for the outline itself.
  const rings = tracts.map(({ geoid }) => intake.outlines.get(geoid)?.rings ?? []);
  const outlines = beginWriting(join(publication.directory, OUTLINES_FILE), rings);
  try {
    return await publishTracts({ intake, tracts, outlines, publication }, options, progress);
  } finally {
    await outlines.stop();
  }
}

/** Reports what became of the tracts that the files list; returns the error that says why none is left. */
function withoutTract(intake: Intake, options: PublishOptions, progress: Progress): InputError {
  intake.providers.accountWithoutProviders();
  const report = giveAccount(intake, joinLayers(intake, [], createBridge(intake, knownTracts([]))), options, progress);
  const refusals = report.overThreshold.length > 0 ? [describeRefusals(report)] : [];
  return new InputError([...refusals, whyNoTract(intake)].join('\n'));
}

/** A dataset about to be published: the intake's tracts, whose outlines are already being written to the publication. */
interface PendingDataset {
  readonly intake: Intake;
  readonly tracts: readonly TractRow[];
  readonly outlines: OutlinesWriting;
  readonly publication: Publication;
}

async function publishTracts(
  { intake, tracts, outlines, publication }: PendingDataset,
  options: PublishOptions,
  progress: Progress,
): Promise<PublishedDataset> {
  const bridge = createBridge(intake, knownTracts(tracts.map(({ geoid }) => geoid)));
  const joined = joinLayers(intake, tracts, bridge);
  const dataset = {
    synthetic: options.synthetic,
    loadedSources: sourcesOf(intake, options),
    counties: options.input?.counties ?? [],
    placeFiles: options.input?.places ?? [],
    openAddressLocator: options.openAddressLocator,
    outlines,
  };
  const written = await writeDataset(publication.directory, joined, intake, dataset, progress);
  progress.step('writing', 1, 1);
  // Address ranges are read while the dataset is written, so the files are checked again. This must precede the report,
  // which would otherwise blame the rows of a file that was cut off meanwhile.
  options.checkInput?.();
  const report = giveAccount(intake, joined, options, progress);
  if (report.overThreshold.length > 0) throw new ThresholdError(describeRefusals(report));
  options.review?.(publication.directory);
  return { ...publication.commit(written), report };
}

/** Reports what became of every row: as text, and as JSON if requested. */
function giveAccount(
  intake: Intake,
  joined: JoinedTracts,
  { input, reportPath, catalog = readSourceCatalog() }: PublishOptions,
  progress: Progress,
): CompileReport {
  const files = input ? reportedFiles(input) : { found: [], ignored: [], suspect: [] };
  const { tallies, wantedStates } = intake;
  const report = createReport({ tallies, joined, outlines: intake.outlines.size, catalog, files, wantedStates });
  for (const line of formatReport(report)) progress.line(line);
  if (reportPath !== undefined) writeReport(reportPath, report);
  return report;
}

function describeRefusals({ overThreshold }: CompileReport): string {
  return overThreshold.flatMap(({ what, reasons }) => [what, ...reasons.map((reason) => `  ${reason}`)]).join('\n');
}

/** The loaded sources with their vintages and fetch dates; for the synthetic nation, as listed by its tallies. */
function sourcesOf({ tallies }: Intake, { input, inputDirs = [] }: PublishOptions): LoadedSource[] {
  const files = input ? sourceFiles(input) : tallies.map(({ source, product }) => ({ source, product, label: '' }));
  return listLoadedSources(files, tallies, fetchedFiles(inputDirs));
}
