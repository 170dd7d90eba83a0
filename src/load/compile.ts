import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginPublication, type CommittedGeneration, type Publication } from '../catalog/publish.js';
import type { LoadedSource } from '../core/loaded-source.js';
import { OUTLINES_FILE } from '../format/outlines-file.js';
import { createBridge } from './bridge.js';
import { discoverFiles } from './files/discover.js';
import { requireUnchanged } from './files/unchanged.js';
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
import type { OpenAddressLocator } from './providers/place-providers.js';
import { readInput } from './read-input.js';
import {
  describeInput,
  filesByProduct,
  filesThatCount,
  type RecognizedInput,
  recognizeFiles,
  sourceFiles,
} from './recognize.js';
import { type CompileReport, createReport, formatReport } from './report.js';
import { readSourceCatalog } from './source-catalog.js';
import { writeDataset } from './write-dataset.js';

export interface CompileOptions {
  readonly inputDirs: readonly string[];
  readonly outputDir: string;
  readonly filter: LoadFilter;
  /** Places providers by their addresses, where address ranges are loaded. */
  readonly openAddressLocator?: OpenAddressLocator | undefined;
  /** Where the work on outlines is done; in this thread, if nothing is said. */
  readonly outlineWork?: OutlineWork | undefined;
  /** Where to write the account as JSON. */
  readonly reportPath?: string | undefined;
  readonly review?: ReviewDataset | undefined;
  /** What whoever wants to compile there meanwhile is told that runs; `compile` unless told. */
  readonly command?: string;
}

/** Looks at a written dataset before it is published; where it throws, nothing is. */
export type ReviewDataset = (directory: string) => void;

/** The dataset that a compile published. */
export interface PublishedDataset extends CommittedGeneration {
  readonly report: CompileReport;
}

/** Too many rows of a file or a source were rejected, or too many cells of a column unreadable: nothing was published. */
export class ThresholdError extends Error {
  override readonly name = 'ThresholdError';
}

/**
 * Compiles the official files below the input directories into a generation and publishes it. Nothing is published
 * where it throws: `InputError` for a file that is broken or must be refused, `ThresholdError`, `DatasetsLockedError`,
 * and what the file system throws.
 */
export async function compile(options: CompileOptions, progress: Progress): Promise<PublishedDataset> {
  return publishing(
    options.outputDir,
    async (publication) => {
      const files = await discoverFiles(options.inputDirs);
      const input = await recognizeFiles(files);
      for (const line of describeInput(input)) progress.line(line);
      refuse(input, options.reportPath);
      const checkInput = (): void => requireUnchanged(filesThatCount(input, files.found));
      const intake = new Intake(options.filter);
      await readInput(input, intake, options.outlineWork ?? WORK_HERE, progress);
      checkInput();
      return publishIntake(intake, publication, { ...options, input, checkInput, synthetic: false }, progress);
    },
    options.command,
  );
}

/**
 * Holds the output directory's lock for compiles around the work, from before anything is read: a second compile and a
 * directory that cannot be written are told at once, and what was written is removed where the work fails.
 */
export async function publishing<T>(
  outputDir: string,
  work: (publication: Publication) => Promise<T>,
  command = 'compile',
): Promise<T> {
  const publication = beginPublication(outputDir, { holder: command });
  try {
    return await work(publication);
  } finally {
    publication.close();
  }
}

/** Ends the compile where a product must not be loaded; the report then says what was found, and what was refused. */
function refuse(input: RecognizedInput, reportPath: string | undefined): void {
  const { refused, ignored, suspect } = input;
  if (refused.length > 0 && reportPath !== undefined) {
    writeReport(reportPath, { found: filesByProduct(input), ignored, suspect, refused });
  }
  const reasons = refused.map(({ label, product, why }) => `${label} (${product}): ${why}`);
  if (reasons.length > 0) throw new InputError(reasons.join('\n'));
  if (input.texts.length + input.shapefiles.length + input.counties.length + input.places.length === 0)
    throw new InputError('no file of a known source');
}

function writeReport(path: string, report: object): void {
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
}

interface PublishOptions {
  readonly synthetic: boolean;
  readonly openAddressLocator?: OpenAddressLocator | undefined;
  readonly outlineWork?: OutlineWork | undefined;
  readonly reportPath?: string | undefined;
  readonly review?: ReviewDataset | undefined;
  /** The files that the intake was read from, and the directories that they lie in; undefined where it was not. */
  readonly input?: RecognizedInput | undefined;
  readonly inputDirs?: readonly string[];
  /** Throws where the files are not as they were when they were found. */
  readonly checkInput?: () => void;
}

/** Joins, derives, writes, verifies and publishes what an intake holds. The demo nation comes in here. */
export async function publishIntake(
  intake: Intake,
  publication: Publication,
  options: PublishOptions,
  progress: Progress,
): Promise<PublishedDataset> {
  const tracts = intake.tracts();
  if (tracts.length === 0) throw withoutTract(intake, options, progress);
  const { beginWriting } = options.outlineWork ?? WORK_HERE;
  // From here on only whether a tract has an outline is asked for, never the outline itself.
  const rings = tracts.map(({ geoid }) => intake.outlines.get(geoid)?.rings ?? []);
  const outlines = beginWriting(join(publication.directory, OUTLINES_FILE), rings);
  try {
    return await publishTracts({ intake, tracts, outlines, publication }, options, progress);
  } finally {
    await outlines.stop();
  }
}

/** Gives the account, which tells what became of the tracts that the files list, and then why there is none of them. */
function withoutTract(intake: Intake, options: PublishOptions, progress: Progress): InputError {
  intake.providers.accountWithoutProviders();
  const report = giveAccount(intake, joinLayers(intake, [], createBridge(intake, knownTracts([]))), options, progress);
  const refusals = report.overThreshold.length > 0 ? [describeRefusals(report)] : [];
  return new InputError([...refusals, whyNoTract(intake)].join('\n'));
}

/** What there is to publish: the tracts of the intake, their outlines already being written into the publication. */
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
  // Address ranges are read while it is written. Asked before the account, which would blame rows for what is cut off.
  options.checkInput?.();
  const report = giveAccount(intake, joined, options, progress);
  if (report.overThreshold.length > 0) throw new ThresholdError(describeRefusals(report));
  options.review?.(publication.directory);
  return { ...publication.commit(written), report };
}

/** Says what became of every row, to people and, where it is wanted, as JSON. */
function giveAccount(
  intake: Intake,
  joined: JoinedTracts,
  { input, reportPath }: PublishOptions,
  progress: Progress,
): CompileReport {
  const { ignored = [], suspect = [] } = input ?? {};
  const files = { found: input ? filesByProduct(input) : [], ignored, suspect };
  const report = createReport(intake.tallies, joined, intake.outlines.size, readSourceCatalog(), files);
  for (const line of formatReport(report)) progress.line(line);
  if (reportPath !== undefined) writeReport(reportPath, report);
  return report;
}

function describeRefusals({ overThreshold }: CompileReport): string {
  return overThreshold.flatMap(({ what, reasons }) => [what, ...reasons.map((reason) => `  ${reason}`)]).join('\n');
}

/** What was loaded, of which vintage and since when; of a made-up nation what its accounts say. */
function sourcesOf({ tallies }: Intake, { input, inputDirs = [] }: PublishOptions): LoadedSource[] {
  const files = input ? sourceFiles(input) : tallies.map(({ source, product }) => ({ source, product, label: '' }));
  return listLoadedSources(files, tallies, fetchedFiles(inputDirs));
}
