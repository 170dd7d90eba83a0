import { groupBy } from '../../core/group-by.js';
import type { DiskFile, InputFile } from '../input.js';
import type { ReportedFiles } from '../report/report.js';
import type { SourceId } from '../source-id.js';
import type { CountyFile } from '../sources/addrfeat/county-file.js';
import type { Recognition } from '../sources/recognition.js';
import type { TractShapefile } from '../sources/tiger/index.js';
import type { PlaceFile } from '../sources/tiger-place/index.js';
import { describeSuspect, type SuspectFile } from './suspect-file.js';

/** The input's files, sorted by how they are processed. */
export interface RecognizedInput {
  /** In reading order. */
  readonly texts: readonly {
    readonly file: InputFile;
    readonly recognition: Extract<Recognition, { read: unknown }>;
  }[];
  readonly shapefiles: readonly TractShapefile[];
  /** Address ranges, one file per county. */
  readonly counties: readonly CountyFile[];
  /** Cities and other places, one file per state. */
  readonly places: readonly PlaceFile[];
  /** Files of products that the loader knows but must not load. */
  readonly refused: readonly { readonly label: string; readonly product: string; readonly why: string }[];
  /** Entries that could not be opened as files, with the reason; they may have been meant to be loaded, too. */
  readonly skipped: readonly string[];
  /** These entries, and files that no source recognizes. */
  readonly ignored: readonly string[];
  /** Files that may have been meant to be loaded, or to provide more than is loaded from them. */
  readonly suspect: readonly SuspectFile[];
}

/** A file that will be read, with its source and product. */
export interface SourceFile {
  readonly source: SourceId;
  readonly product: string;
  readonly label: string;
}

/** The files that will be read: texts first, then shapefiles, address ranges and places. */
export function sourceFiles({ texts, shapefiles, counties, places }: RecognizedInput): SourceFile[] {
  return [
    ...texts.map(({ file: { label }, recognition: { source, product } }) => ({ source, product, label })),
    ...shapefiles.map(({ product, set: { label } }) => ({ source: 'tiger' as const, product, label })),
    ...counties.map(({ product, set: { label } }) => ({ source: 'addrfeat' as const, product, label })),
    ...places.map(({ product, set: { label } }) => ({ source: 'tiger-place' as const, product, label })),
  ];
}

/**
 * Of the files on disk, those that something is read from, and the suspect ones: a file that was just emptied, for example,
 * is no longer recognized, but still counts as a changed input.
 */
export function filesThatCount<T extends DiskFile>(input: RecognizedInput, found: readonly T[]): T[] {
  const sets = [...input.shapefiles, ...input.counties, ...input.places].map(({ set }) => set);
  const texts = [...input.texts, ...input.suspect].map(({ file }) => file);
  const counted = [...texts, ...sets.flatMap(({ shp, dbf, prj }) => [shp, dbf, prj])];
  const paths = new Set(counted.map((file) => file?.place?.disk.path));
  return found.filter(({ path }) => paths.has(path));
}

/** The files that will be read, by product. */
export function filesByProduct(input: RecognizedInput): { product: string; files: string[] }[] {
  const byProduct = groupBy(sourceFiles(input), ({ product }) => product);
  return [...byProduct].map(([product, files]) => ({ product, files: files.map(({ label }) => label) }));
}

/** One line per product: its file, or the number of its files if there are several. */
export function describeInput(input: RecognizedInput): string[] {
  const lines = filesByProduct(input).map(({ product, files }) =>
    files.length === 1 ? `  ${product}: ${files[0]}` : `  ${product}: ${files.length} files, ${files[0]} …`,
  );
  return [
    'Found:',
    ...lines,
    ...(input.ignored.length > 0 ? ['Ignored (not files of a known source):'] : []),
    ...input.ignored.map((label) => `  ${label}`),
  ];
}

/** The files as the report of a compile lists them. */
export function reportedFiles(input: RecognizedInput): ReportedFiles {
  const suspect = [...input.skipped, ...input.suspect.map(describeSuspect)];
  return { found: filesByProduct(input), ignored: input.ignored, suspect };
}
