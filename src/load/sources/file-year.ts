import type { InputFile } from '../input.js';

const YEAR = /(?<!\d)(20[0-4]\d)(?!\d)/g;

/** Says whether a product has a vintage of this year. */
export type KnownYear = (year: number) => boolean;

/** Nothing is published before its time: a later year is a slip, or a part of something else. */
export const isNotInFuture: KnownYear = (year) => year <= new Date().getUTCFullYear();

/** The last four-digit year in the text that the product has a vintage of; dates like 20240130 are no years. */
export function yearIn(text: string, isKnown: KnownYear = isNotInFuture): number | undefined {
  return [...text.matchAll(YEAR)].map((match) => Number(match[1])).findLast((year) => isKnown(year));
}

/** The folders and archives on the file's path, the outermost first. */
export const foldersOf = (file: InputFile): readonly string[] => file.label.split(/[/!]/).slice(0, -1);

/** The year in the innermost folder or archive on the file's path whose name has one. */
export function yearOfFolders(file: InputFile, isKnown: KnownYear = isNotInFuture): number | undefined {
  for (const folder of foldersOf(file).toReversed()) {
    const year = yearIn(folder, isKnown);
    if (year !== undefined) return year;
  }
  return undefined;
}

/** The year in the file's own name or, if there is none, on its path. */
export function yearOfFile(file: InputFile, isKnown: KnownYear = isNotInFuture): number | undefined {
  return yearIn(file.name, isKnown) ?? yearOfFolders(file, isKnown);
}
