import { BY_SEMICOLONS, beginning, isJson, isWebPage, PACKED, SPREADSHEET_NAME } from '../files/content-kind.js';
import { belowFirstLines, namedCells, separatedBySemicolons, type TextProbe } from '../files/probe.js';
import type { InputFile } from '../input.js';
import { describeLikeness, recognizeText } from '../sources/index.js';

/** A file that may have been meant to be loaded, or to provide more than is loaded from it. */
export interface SuspectFile {
  readonly file: InputFile;
  /** What is wrong with it. */
  readonly fault: string;
}

/** A suspect file as people are told of it. */
export function describeSuspect({ file, fault }: SuspectFile): string {
  return `${file.label}: ${fault}`;
}

/** Why a file that no source recognizes may still be a source's; undefined if nothing suggests that. */
export function whySuspect(probe: TextProbe): string | undefined {
  return whyOtherMap(probe) ?? whyNoTable(probe) ?? whyJson(probe) ?? likenessOf(probe) ?? whyProse(probe);
}

const JSON_NAME = /\.json(?:\.gz)?$/i;
const TABLE_NAME = /\.(?:csv|dat|txt)(?:\.gz)?$/i;

/** Archives are opened in folders only, and only those of zip and gzip. */
const NESTED_ARCHIVE = /!.*\.zip$/i;
/** Names of downloads that lost their extension, or have more behind it: `tl_2020_10_tract`, `tl_2020_10_tract.zip (1)`. */
const RENAMED_ARCHIVE = /(?:\.(?:zip|gz)[^\w/!][^/!]*|(?:^|\/)[^./!]+)$/i;
const OTHER_ARCHIVE = /\.(?:tar|7z|rar|tgz|bz2|xz|zst)(?:\.gz)?$/i;

/** Names that browsers give to what they have not received completely; Safari has a folder for it: `a.csv.download/a.csv`. */
const UNFINISHED = /\.(?:crdownload|opdownload|part|partial|download)$|(?:^|\/)([^/]+)\.download\/\1$/i;

/** Why a file must not be read whatever is in it, although it is not damaged. */
export function whyUnfinished({ label }: InputFile): string | undefined {
  return UNFINISHED.test(label) ? 'it is an unfinished download; finish it, or delete it' : undefined;
}

/** Formats of maps other than shapefiles; GeoJSON and TopoJSON also come under the name of JSON. */
const OTHER_MAP = /\.(?:geojson|topojson|kml|kmz|gpkg)(?:\.gz)?$/i;
const MAP_IN_JSON = /"type"\s*:\s*"(?:FeatureCollection|Topology)"/;

/** Why a map may have been meant to provide outlines. */
function whyOtherMap({ file, head }: TextProbe): string | undefined {
  const isOther = OTHER_MAP.test(file.label) || (JSON_NAME.test(file.label) && MAP_IN_JSON.test(head));
  return isOther ? 'it is a map in a format that is not read; outlines are read from shapefiles' : undefined;
}

/** Why a file named like a table is none. Single-state files can have any name, so only content tells what was meant. */
export function whyNoTable({ file, head, fault }: TextProbe): string | undefined {
  // A spreadsheet within an archive is documentation that comes with its tables.
  const mayBeTable = TABLE_NAME.test(file.label) || (SPREADSHEET_NAME.test(file.label) && !file.label.includes('!'));
  if (OTHER_ARCHIVE.test(file.label)) return 'it is an archive of a kind that is not read; unpack it';
  const packed = PACKED.includes(fault) ? fault : undefined;
  if (RENAMED_ARCHIVE.test(file.label) && packed !== undefined) return packed;
  if (!mayBeTable && !NESTED_ARCHIVE.test(file.label) && !JSON_NAME.test(file.label)) return undefined;
  if (head.trim() === '') return 'it is empty';
  if (packed !== undefined) return packed;
  return isWebPage(head) ? 'it is a web page; download it again' : undefined;
}

/**
 * JSON under a table's name is a web service's response; sources that read JSON have already declined it. So is a text under
 * the name of JSON, as the Census API answers a query with a mistake.
 */
function whyJson({ file, head }: TextProbe): string | undefined {
  if (JSON_NAME.test(file.label) && !/^\s*[[{]/.test(head)) return `it is not JSON: ${beginning(head)}`;
  if (JSON_NAME.test(file.label) && /^[\s[\]{}]+$/.test(head)) return 'it is JSON without any data';
  if (!TABLE_NAME.test(file.label) || !isJson(head)) return undefined;
  return `it is JSON from a web service, not a table: ${beginning(head)}`;
}

const CSV_NAME = /\.csv(?:\.gz)?$/i;

/** Why a CSV file is none: servers refuse in a sentence, and a repository may hold a pointer instead of a large file. */
function whyProse(probe: TextProbe): string | undefined {
  const { file, head, header, rows, whole } = probe;
  const isOneColumn = whole && header.length === 1 && rows.every((cells) => cells.length <= 1);
  const isAlone = rows.every((cells) => (cells[0] ?? '') === '');
  if (!CSV_NAME.test(file.label) || !isOneColumn || !(isAlone || /\S\s\S/.test(header[0] ?? ''))) return undefined;
  if (isTable(separatedBySemicolons(probe))) return undefined;
  return `it is a text without columns, not a table: ${beginning(head)}`;
}

/** Whether a row has as many cells as the header, unlike what follows a sentence with a semicolon. */
const isTable = (probe: TextProbe | undefined): boolean =>
  probe?.rows.some(({ length }) => length === probe.header.length) ?? false;

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

/** Describes a table whose header is below the first line, which has fewer cells; undefined for other files. */
function titledTable(probe: TextProbe): string | undefined {
  for (const { line, below } of belowFirstLines(probe)) {
    const separated = separatedBySemicolons(below);
    if (namedCells(separated ?? below) <= namedCells(probe)) continue;
    const product = recognizeText(below)?.product;
    if (product !== undefined)
      return `looks like ${product}, but its header is in line ${line}; remove the lines above it`;
    const other = separated && recognizeText(separated)?.product;
    if (other !== undefined) return `looks like ${other}, but its header is in line ${line}, and ${BY_SEMICOLONS}`;
  }
  return undefined;
}
