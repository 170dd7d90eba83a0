import { groupBy } from '../core/group-by.js';
import { BY_SEMICOLONS, beginning, isJson, isWebPage, PACKED, SPREADSHEET_NAME } from './files/content-kind.js';
import { NUL_IN_TEXT } from './files/delimited.js';
import type { InputFiles } from './files/discover.js';
import { mapSomeAtOnce } from './files/map-some-at-once.js';
import { belowFirstLines, probeText, separatedBySemicolons } from './files/probe.js';
import { type DiskFile, InputError, type InputFile } from './input.js';
import type { Recognition, TextProbe } from './model.js';
import type { SourceId } from './source-id.js';
import type { CountyFile } from './sources/addrfeat/county-file.js';
import { officialAddressProduct, recognizeCounty } from './sources/addrfeat/index.js';
import { describeLikeness, recognizeText } from './sources/index.js';
import { officialProduct, recognize as recognizeShapefile, type TractShapefile } from './sources/tiger/index.js';
import { officialPlaceProduct, type PlaceFile, recognizePlaceFile } from './sources/tiger-place/index.js';

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
  /** Files that no source recognizes, and entries that could not be opened as files, with the reason. */
  readonly ignored: readonly string[];
  /** Files that may have been meant to be loaded, or to provide more than is loaded from them. */
  readonly suspect: readonly SuspectFile[];
}

interface SuspectFile {
  readonly file: InputFile;
  /** What is wrong with it. */
  readonly fault: string;
}

/** Reads the beginning of every file. Throws `InputError` if one cannot be read or lacks a file that belongs to it. */
export async function recognizeFiles(files: InputFiles): Promise<RecognizedInput> {
  const texts: RecognizedInput['texts'][number][] = [];
  const shapefiles: TractShapefile[] = [];
  const counties: CountyFile[] = [];
  const places: PlaceFile[] = [];
  const refused: RecognizedInput['refused'][number][] = [];
  const ignored: string[] = [...files.skipped];
  const suspect: SuspectFile[] = [];
  const recognizedSets = await mapSomeAtOnce(files.shapefiles, async (set) => ({
    set,
    found: (await recognizeCounty(set)) ?? (await recognizePlaceFile(set)) ?? (await recognizeShapefile(set)),
  }));
  for (const { set, found } of recognizedSets) {
    if (!found) ignored.push(set.label);
    else if ('fault' in found) {
      const doubtful = { file: set.shp, fault: found.fault };
      suspect.push(doubtful);
      ignored.push(describeSuspect(doubtful));
    } else if ('refuse' in found) refused.push({ label: set.label, product: found.product, why: found.refuse });
    else if ('county' in found) counties.push(found.county);
    else if ('places' in found) places.push(found.places);
    else shapefiles.push(found.file);
  }
  const recognizedTexts = await mapSomeAtOnce(files.others, async (file) => ({
    file,
    ...(await recognizeOther(file)),
  }));
  for (const { file, recognition, fault } of recognizedTexts) {
    if (!recognition) {
      if (fault !== undefined) suspect.push({ file, fault });
      ignored.push(fault === undefined ? file.label : describeSuspect({ file, fault }));
    } else if ('refuse' in recognition)
      refused.push({ label: file.label, product: recognition.product, why: recognition.refuse });
    else {
      if (recognition.doubt !== undefined) suspect.push({ file, fault: recognition.doubt });
      texts.push({ file, recognition });
    }
  }
  texts.sort((a, b) => (a.recognition.turn ?? 0) - (b.recognition.turn ?? 0));
  return { texts, shapefiles, counties, places, refused, ignored, suspect };
}

interface RecognizedOther {
  readonly recognition: Recognition | undefined;
  /** Why a file that no source recognizes may still be a source's; undefined if nothing suggests that. */
  readonly fault: string | undefined;
}

async function recognizeOther(file: InputFile): Promise<RecognizedOther> {
  refuseLoneTable(file);
  const probe = await probeText(file);
  const recognition = recognizeText(probe);
  if (!recognition) return { recognition, fault: whyNoTable(probe) ?? whyJson(probe) ?? likenessOf(probe) };
  const isJudged = 'judgesDamage' in recognition && probe.fault === NUL_IN_TEXT;
  const fault = isJudged ? undefined : (whyNoTable(probe) ?? probe.fault);
  if (fault !== undefined) throw new InputError(`${file.label} (${recognition.product}): cannot be read: ${fault}`);
  return { recognition, fault };
}

/** Throws `InputError` if the file is the .dbf of a product without its .shp: with one, it would be in a shapefile set. */
function refuseLoneTable({ label, name }: InputFile): void {
  const [, stem] = /^(.*)\.dbf$/i.exec(name) ?? [];
  if (stem === undefined) return;
  const product = officialProduct(stem) ?? officialAddressProduct(stem) ?? officialPlaceProduct(stem);
  if (product !== undefined) throw new InputError(`${label} (${product}): its .shp is missing`);
}

const JSON_NAME = /\.json(?:\.gz)?$/i;
const TABLE_NAME = /\.(?:csv|dat|txt)(?:\.gz)?$/i;

/** Archives are opened in folders only, and only those of zip and gzip. */
const NESTED_ARCHIVE = /!.*\.zip$/i;
const OTHER_ARCHIVE = /\.(?:tar|7z|rar|tgz|bz2|xz|zst)(?:\.gz)?$/i;

/** Why a file named like a table is none. Single-state files can have any name, so only content tells what was meant. */
function whyNoTable({ file, head, fault }: TextProbe): string | undefined {
  // A spreadsheet within an archive is documentation that comes with its tables.
  const mayBeTable = TABLE_NAME.test(file.label) || (SPREADSHEET_NAME.test(file.label) && !file.label.includes('!'));
  if (OTHER_ARCHIVE.test(file.label)) return 'it is an archive of a kind that is not read; unpack it';
  if (!mayBeTable && !NESTED_ARCHIVE.test(file.label) && !JSON_NAME.test(file.label)) return undefined;
  if (head.trim() === '') return 'it is empty';
  if (PACKED.includes(fault)) return fault;
  return isWebPage(head) ? 'it is a web page' : undefined;
}

/**
 * JSON under a table's name is a web service's response; sources that read JSON have already declined it. So is a text under
 * the name of JSON, as the Census API answers a query with a mistake.
 */
function whyJson({ file, head }: TextProbe): string | undefined {
  if (JSON_NAME.test(file.label) && !/^\s*[[{]/.test(head)) return `it is not JSON: ${beginning(head)}`;
  if (!TABLE_NAME.test(file.label) || !isJson(head)) return undefined;
  return `it is JSON from a web service, not a table: ${beginning(head)}`;
}

/** Which product a table would be without a title above its header, with its missing columns, or separated by commas. */
function likenessOf(probe: TextProbe): string | undefined {
  const titled = titledTable(probe);
  if (titled !== undefined) return titled;
  const likeness = describeLikeness(probe);
  const separated = likeness === undefined ? separatedBySemicolons(probe) : undefined;
  const product = separated && recognizeText(separated)?.product;
  return product === undefined
    ? (likeness ?? (separated && describeLikeness(separated)))
    : `looks like ${product}, but ${BY_SEMICOLONS}`;
}

/** A first line with more cells than this is a header, not a title. */
const MAX_TITLE_CELLS = 3;

/** Describes a table whose header is below the first line; undefined for other files. */
function titledTable(probe: TextProbe): string | undefined {
  if (probe.header.filter((cell) => cell !== '').length > MAX_TITLE_CELLS) return undefined;
  for (const { line, below } of belowFirstLines(probe)) {
    const product = recognizeText(below)?.product;
    if (product !== undefined)
      return `looks like ${product}, but its header is in line ${line}; remove the lines above it`;
  }
  return undefined;
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

/** A suspect file as people are told of it. */
export function describeSuspect({ file, fault }: SuspectFile): string {
  return `${file.label}: ${fault}`;
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
