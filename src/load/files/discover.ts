import { realpathSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { printable } from '../../core/printable.js';
import { type DiskFile, InputError, type InputFile } from '../input.js';
import { gzippedFile, plainFile, zipMembers } from './input-file.js';
import { listFiles } from './list-files.js';
import { mapSomeAtOnce } from './map-some-at-once.js';
import { type FoundFile, stampFile } from './unchanged.js';

/** The files of one shapefile: those that share its base name. */
export interface ShapefileSet {
  /** The label of the .shp file. */
  readonly label: string;
  /** Base name without extension: `tl_2020_10_tract`. */
  readonly name: string;
  readonly shp: InputFile;
  readonly dbf: InputFile | undefined;
  readonly prj: InputFile | undefined;
}

/** A shapefile that has its table of attributes. */
export interface CompleteShapefile extends ShapefileSet {
  readonly dbf: InputFile;
}

/** The files below the input directories. */
export interface InputFiles {
  readonly shapefiles: readonly ShapefileSet[];
  /** All other files, except the sidecars of shapefiles. */
  readonly others: readonly InputFile[];
  /** Entries that cannot be opened as a file, and archives without any, each with the reason. */
  readonly skipped: readonly string[];
}

/** The input files, with the state of each file on disk before any of it was read. */
export interface DiscoveredFiles extends InputFiles {
  readonly found: readonly FoundFile[];
}

/**
 * Lists the files below the directories at any depth, including the members of zip archives. They are sorted by path
 * relative to their directory, so that equal inputs are read in the same order whatever the directories are called. A file
 * below several of the directories is listed once, by its path below the outermost. Throws `InputError` on a directory or
 * an archive that cannot be read, and if there is no file at all.
 */
export async function discoverFiles(inputDirs: readonly string[]): Promise<DiscoveredFiles> {
  const listings = inputDirs.map((dir) => ({ dir, ...listFiles(dir) }));
  const labelOf = (dir: string, path: string): string => inputLabel(inputDirs, dir, path);
  const listed = eachOnce(
    listings.flatMap(({ dir, files }) => files.map((path) => ({ dir, path, below: relative(dir, path) }))),
  );
  listed.sort((a, b) => (a.below < b.below ? -1 : Number(a.below > b.below)));
  const found = listed.map(({ dir, path }) => stampFile({ path, label: labelOf(dir, path) }));
  const opened = await mapSomeAtOnce(found, openOnDisk);
  const files = opened.flat();
  const empty = found
    .filter((_, at) => opened[at]?.length === 0)
    .map(({ label }) => `${label}: an archive without files`);
  const unopened = listings.flatMap((listing) =>
    listing.skipped.map(({ path, why }) => `${labelOf(listing.dir, path)}: ${why}`),
  );
  const skipped = [...unopened, ...empty].sort();
  if (files.length === 0) throw new InputError([`${inputDirs.join(', ')}: no files to load`, ...skipped].join('; '));
  return { ...groupShapefiles(files), skipped, found };
}

interface ListedFile {
  /** The input directory that it was found in. */
  readonly dir: string;
  readonly path: string;
  /** The path relative to the directory. */
  readonly below: string;
}

/** Of files listed through several directories, those listed through the outermost. Links to files are files of their own. */
function eachOnce(listed: readonly ListedFile[]): ListedFile[] {
  const dirs = new Set(listed.map(({ dir }) => dir));
  const trueDirs = new Map([...dirs].map((dir) => [dir, realpathSync(dir)]));
  const once = new Map<string, ListedFile>();
  for (const file of listed) {
    const truePath = join(trueDirs.get(file.dir) ?? file.dir, file.below);
    const known = once.get(truePath);
    if (!known || file.below.length > known.below.length) once.set(truePath, file);
  }
  return [...once.values()];
}

/**
 * A file's label: its path, from the input directory's base name on, or from its whole path if two share the base name.
 * Printable, so that a name with a line break in it passes for no line of a report.
 */
export function inputLabel(inputDirs: readonly string[], dir: string, path: string): string {
  const namesakes = inputDirs.filter((other) => basename(other) === basename(dir)).length;
  return printable(join(namesakes > 1 ? dir : basename(dir), relative(dir, path)));
}

/** The file itself, or an archive's members. Throws `InputError` on an archive that cannot be read, and if it is gone. */
export async function openOnDisk(file: DiskFile): Promise<InputFile[]> {
  const { path, label, sizeBytes } = stampFile(file);
  const name = basename(path);
  if (/\.zip$/i.test(name)) return zipMembers(path, label);
  if (/\.gz$/i.test(name)) return [gzippedFile(path, label, name.slice(0, -3), sizeBytes)];
  return [plainFile(path, label, name, sizeBytes)];
}

const SHAPEFILE_PART = /\.(shp|shx|dbf|prj|cpg|sbn|sbx|qix|qpj|shp\.xml|shp(\.ea)?\.iso\.xml)$/i;

function groupShapefiles(files: readonly InputFile[]): Omit<InputFiles, 'skipped'> {
  const stem = (label: string): string => label.replace(SHAPEFILE_PART, '').toLowerCase();
  const parts = new Map(files.map((file) => [file.label.toLowerCase(), file]));
  const shapefiles = files
    .filter((file) => /\.shp$/i.test(file.label))
    .map((shp): ShapefileSet => {
      const sibling = (extension: string): InputFile | undefined => parts.get(`${stem(shp.label)}.${extension}`);
      return { label: shp.label, name: shp.name.slice(0, -4), shp, dbf: sibling('dbf'), prj: sibling('prj') };
    });
  const stems = new Set(shapefiles.map((set) => stem(set.label)));
  const others = files.filter((file) => !(SHAPEFILE_PART.test(file.label) && stems.has(stem(file.label))));
  return { shapefiles, others };
}
