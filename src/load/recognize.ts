import { BY_SEMICOLONS, beginning, isJson, isWebPage, PACKED, SPREADSHEET_NAME } from './files/content-kind.js';
import { NUL_IN_TEXT } from './files/delimited.js';
import type { InputFiles } from './files/discover.js';
import { mapSomeAtOnce } from './files/map-some-at-once.js';
import { belowFirstLines, probeText, separatedBySemicolons } from './files/probe.js';
import { type DiskFile, InputError, type InputFile } from './input.js';
import type { Recognition, TextProbe } from './model.js';
import type { SourceId } from './source-id.js';
import type { CountyFile } from './sources/addrfeat/county-file.js';
import { recognizeCounty, refuseLoneAddressTable } from './sources/addrfeat/index.js';
import { describeLikeness, recognizeText } from './sources/index.js';
import { recognize as recognizeShapefile, refuseLoneTable, type TractShapefile } from './sources/tiger/index.js';
import { type PlaceFile, recognizePlaces, refuseLonePlaceTable } from './sources/tiger-place/index.js';

/** What the input holds, sorted by what is to be done with it. */
export interface RecognizedInput {
  /** In the order in which they are to be read. */
  readonly texts: readonly {
    readonly file: InputFile;
    readonly recognition: Extract<Recognition, { read: unknown }>;
  }[];
  readonly shapefiles: readonly TractShapefile[];
  /** Address ranges, a file a county. */
  readonly counties: readonly CountyFile[];
  /** Cities and other places, a file a state. */
  readonly places: readonly PlaceFile[];
  /** Products that the loader knows but must not load. */
  readonly refused: readonly { readonly label: string; readonly product: string; readonly why: string }[];
  /** Files that no source knows, and what could not be opened as a file, with the reason. */
  readonly ignored: readonly string[];
  /** Files that may have been meant to be loaded, or to be more than they are loaded as, with what is wrong with them. */
  readonly suspect: readonly string[];
}

/** Looks at the beginning of every file. Throws `InputError` on one that cannot be read or lacks what belongs to it. */
export async function recognizeFiles(files: InputFiles): Promise<RecognizedInput> {
  const texts: RecognizedInput['texts'][number][] = [];
  const shapefiles: TractShapefile[] = [];
  const counties: CountyFile[] = [];
  const places: PlaceFile[] = [];
  const refused: RecognizedInput['refused'][number][] = [];
  const ignored: string[] = [...files.skipped];
  const suspect: string[] = [];
  const recognizedSets = await mapSomeAtOnce(files.shapefiles, async (set) => ({
    set,
    found: (await recognizeCounty(set)) ?? (await recognizePlaces(set)) ?? (await recognizeShapefile(set)),
  }));
  for (const { set, found } of recognizedSets) {
    if (!found) ignored.push(set.label);
    else if ('refuse' in found) refused.push({ label: set.label, product: found.product, why: found.refuse });
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
      if (fault !== undefined) suspect.push(`${file.label}: ${fault}`);
      ignored.push(fault === undefined ? file.label : `${file.label}: ${fault}`);
    } else if ('refuse' in recognition)
      refused.push({ label: file.label, product: recognition.product, why: recognition.refuse });
    else {
      if (recognition.doubt !== undefined) suspect.push(`${file.label}: ${recognition.doubt}`);
      texts.push({ file, recognition });
    }
  }
  texts.sort((a, b) => (a.recognition.turn ?? 0) - (b.recognition.turn ?? 0));
  return { texts, shapefiles, counties, places, refused, ignored, suspect };
}

interface RecognizedOther {
  readonly recognition: Recognition | undefined;
  /** Why a file that no source knows may be a source's all the same; undefined where nothing says so. */
  readonly fault: string | undefined;
}

async function recognizeOther(file: InputFile): Promise<RecognizedOther> {
  refuseLoneTable(file);
  refuseLoneAddressTable(file);
  refuseLonePlaceTable(file);
  const probe = await probeText(file);
  const recognition = recognizeText(probe);
  if (!recognition) return { recognition, fault: whyNoTable(probe) ?? whyJson(probe) ?? likenessOf(probe) };
  const isJudged = 'judgesDamage' in recognition && probe.fault === NUL_IN_TEXT;
  const fault = isJudged ? undefined : (probe.fault ?? whyNoTable(probe));
  if (fault !== undefined) throw new InputError(`${file.label} (${recognition.product}): cannot be read: ${fault}`);
  return { recognition, fault };
}

const TABLE_NAME = /\.(?:csv|dat|txt)(?:\.gz)?$/i;

/** A file of one state may be called like anything, so that only its content tells what it should have been. */
function whyNoTable({ file, head, fault }: TextProbe): string | undefined {
  // One in an archive is what comes with its tables.
  const mayBeTable = TABLE_NAME.test(file.label) || (SPREADSHEET_NAME.test(file.label) && !file.label.includes('!'));
  if (!mayBeTable) return undefined;
  if (head.trim() === '') return 'it is empty';
  if (PACKED.includes(fault)) return fault;
  return isWebPage(head) ? 'it is a web page' : undefined;
}

/** JSON under a table's name is what a service answered; a source that reads JSON has been asked before. */
function whyJson({ file, head }: TextProbe): string | undefined {
  if (!TABLE_NAME.test(file.label) || !isJson(head)) return undefined;
  return `it is JSON, a service's answer and no table: ${beginning(head)}`;
}

/** What a table would be without a title, if it had what it lacks, or if commas stood between its cells. */
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

/** A line with more cells is a header. */
const MAX_TITLE_CELLS = 3;

/** What a table is whose header is not in the first line. */
function titledTable(probe: TextProbe): string | undefined {
  if (probe.header.filter((cell) => cell !== '').length > MAX_TITLE_CELLS) return undefined;
  for (const { line, below } of belowFirstLines(probe)) {
    const product = recognizeText(below)?.product;
    if (product !== undefined)
      return `looks like ${product}, but its header is in line ${line}; remove what is above it`;
  }
  return undefined;
}

/** A file that will be read, and what it is of. */
export interface SourceFile {
  readonly source: SourceId;
  readonly product: string;
  readonly label: string;
}

/** The files that will be read, in the order in which they were found. */
export function sourceFiles({ texts, shapefiles, counties, places }: RecognizedInput): SourceFile[] {
  return [
    ...texts.map(({ file: { label }, recognition: { source, product } }) => ({ source, product, label })),
    ...shapefiles.map(({ product, set: { label } }) => ({ source: 'tiger' as const, product, label })),
    ...counties.map(({ product, set: { label } }) => ({ source: 'addrfeat' as const, product, label })),
    ...places.map(({ product, set: { label } }) => ({ source: 'tiger-place' as const, product, label })),
  ];
}

/**
 * Those of the files on disk that something is read of, and those that were not taken for what they are named after: a file
 * that has just been emptied is no source's any more.
 */
export function filesThatCount<T extends DiskFile>(input: RecognizedInput, found: readonly T[]): T[] {
  const sets = [...input.shapefiles, ...input.counties, ...input.places].map(({ set }) => set);
  const read = [...input.texts.map(({ file }) => file), ...sets.flatMap(({ shp, dbf, prj }) => [shp, dbf, prj])];
  const paths = new Set(read.map((file) => file?.place?.disk.path));
  const isSuspect = (label: string): boolean =>
    input.suspect.some((line) => line.startsWith(`${label}:`) || line.startsWith(`${label}!`));
  return found.filter(({ path, label }) => paths.has(path) || isSuspect(label));
}

/** The files that will be read, by product. */
export function filesByProduct(input: RecognizedInput): { product: string; files: string[] }[] {
  const byProduct = new Map<string, string[]>();
  for (const { product, label } of sourceFiles(input)) {
    byProduct.set(product, [...(byProduct.get(product) ?? []), label]);
  }
  return [...byProduct].map(([product, files]) => ({ product, files }));
}

/** One line a product: how many files of it there are, or the file itself where there is one. */
export function describeInput(input: RecognizedInput): string[] {
  const lines = filesByProduct(input).map(({ product, files }) =>
    files.length === 1 ? `  ${product}: ${files[0]}` : `  ${product}: ${files.length} files, ${files[0]} …`,
  );
  return [
    'Found:',
    ...lines,
    ...(input.ignored.length > 0 ? ['Ignored (no source of tracts knows them):'] : []),
    ...input.ignored.map((label) => `  ${label}`),
  ];
}
