import { join } from 'node:path';
import {
  beginPublication,
  type CommittedGeneration,
  type Publication,
  type PublicationOptions,
} from '../catalog/directory/publish.js';
import type { Geoid } from '../core/geoid.js';
import type { LoadedSource } from '../core/loaded-source.js';
import { OUTLINES_FILE } from '../format/outlines-file.js';
import { TRACTS_FILE } from '../format/tracts-file.js';
import { whyNoTract } from './checks/no-tract.js';
import { InputError } from './input.js';
import type { Intake } from './intake/intake.js';
import type { TractRow } from './intake/tract-rows.js';
import { createBridge, UNKNOWN_TRACT } from './join/bridge.js';
import { type JoinedTracts, joinLayers } from './join/join.js';
import { knownTracts } from './join/known-tracts.js';
import { type OutlineWork, WORK_HERE } from './outlines/outline-work.js';
import type { OutlinesWriting } from './outlines/outlines-writing.js';
import type { Progress } from './progress.js';
import type { OpenAddressLocator } from './providers/ground.js';
import { type RecognizedInput, reportedFiles, sourceFiles } from './recognize/recognized-input.js';
import { describeStatesInPart, formatReport } from './report/format-report.js';
import { type CompileReport, createReport } from './report/report.js';
import { writeReport } from './report/write-report.js';
import { readSourceCatalog, type SourceCatalog } from './source-catalog.js';
import { fetchedFiles, listLoadedSources } from './write/loaded-sources.js';
import { writeOptionalFiles } from './write/write-optional-files.js';
import { writeTracts } from './write/write-tracts.js';

export interface PublishOptions {
  readonly readFrom: InputRead | 'synthetic';
  /** Geocodes providers by their addresses, if address ranges are loaded. */
  readonly openAddressLocator?: OpenAddressLocator | undefined;
  /** Which thread does the work on outlines; by default this one. */
  readonly outlineWork?: OutlineWork | undefined;
  /** Where to write the report as JSON. */
  readonly reportPath?: string | undefined;
  readonly review?: ReviewDataset | undefined;
}

/** The files that an intake was read from. */
export interface InputRead {
  readonly input: RecognizedInput;
  /** The directories that they were found in. */
  readonly inputDirs: readonly string[];
  readonly catalog: SourceCatalog;
  /** Throws if one of them has changed since it was discovered. */
  readonly requireUnchanged: () => void;
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

export type PublishingOptions = Pick<PublicationOptions, 'holder' | 'evenIfWithdrawn'>;

/**
 * Holds the output directory's compile lock around the work. The lock is taken before anything is read, so that a second
 * compile or an unwritable directory fails at once. If the work fails, what it has written is removed.
 */
export async function publishing<T>(
  outputDir: string,
  work: (publication: Publication) => Promise<T>,
  options: PublishingOptions = {},
): Promise<T> {
  const publication = beginPublication(outputDir, options);
  try {
    return await work(publication);
  } finally {
    publication.close();
  }
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
  const { readFrom } = options;
  const files = readFrom === 'synthetic' ? undefined : readFrom;
  const bridge = createBridge(intake, knownTracts(tracts.map(({ geoid }) => geoid)));
  const joined = joinLayers(intake, tracts, bridge);
  const { directory } = publication;
  const notes = { synthetic: readFrom === 'synthetic', loadedSources: sourcesOf(intake, readFrom) };
  const forOptionalFiles = {
    counties: files?.input.counties ?? [],
    placeFiles: files?.input.places ?? [],
    openAddressLocator: options.openAddressLocator,
  };
  const written = [
    { name: TRACTS_FILE, sections: writeTracts(directory, joined, intake, notes) },
    { name: OUTLINES_FILE, sections: await outlines.sections },
    ...(await writeOptionalFiles(directory, intake, tracts, forOptionalFiles, progress)),
  ];
  progress.step('writing', 1, 1);
  // Address ranges are read while the dataset is written, so the files are checked again. This must precede the report,
  // which would otherwise blame the rows of a file that was cut off meanwhile.
  files?.requireUnchanged();
  const report = giveAccount(intake, joined, options, progress);
  if (report.overThreshold.length > 0) throw new ThresholdError(describeRefusals(report));
  options.review?.(directory);
  return { ...publication.commit(written), report };
}

/** Reports what became of every row: as text, and as JSON if requested. */
function giveAccount(
  intake: Intake,
  joined: JoinedTracts,
  { readFrom, reportPath }: PublishOptions,
  progress: Progress,
): CompileReport {
  const { catalog, files } =
    readFrom === 'synthetic'
      ? { catalog: readSourceCatalog(), files: { found: [], ignored: [], suspect: [] } }
      : { catalog: readFrom.catalog, files: reportedFiles(readFrom.input) };
  const { tallies, wantedStates } = intake;
  const gazetteerOf = (geoid: Geoid): string | undefined => intake.listedTract(geoid)?.tally.file;
  const hasOutline = (geoid: Geoid): boolean => intake.outlines.has(geoid);
  const report = createReport({ tallies, joined, hasOutline, catalog, files, wantedStates, gazetteerOf });
  for (const line of formatReport(report)) progress.line(line);
  if (reportPath !== undefined) writeReport(reportPath, report);
  return report;
}

/** What is lacking of the tracts comes first: rows of other files may have been rejected for that alone. */
function describeRefusals(report: CompileReport): string {
  const { overThreshold, rejections } = report;
  const tractsLack = rejections.some(({ reason }) => reason === UNKNOWN_TRACT) ? describeStatesInPart(report) : [];
  const refusals = overThreshold.flatMap(({ what, reasons }) => [what, ...reasons.map((reason) => `  ${reason}`)]);
  return [...tractsLack, ...refusals].join('\n');
}

/** The loaded sources with their vintages and fetch dates; for the synthetic nation, as listed by its tallies. */
function sourcesOf({ tallies }: Intake, readFrom: PublishOptions['readFrom']): LoadedSource[] {
  if (readFrom === 'synthetic') {
    const files = tallies.map(({ source, product }) => ({ source, product, label: '' }));
    return listLoadedSources(files, tallies, fetchedFiles([]));
  }
  return listLoadedSources(sourceFiles(readFrom.input), tallies, fetchedFiles(readFrom.inputDirs));
}
