import type { InputFile } from '../input.js';

const YEAR = /(?<!\d)(20[0-4]\d)(?!\d)/g;

/** Says whether a product has a vintage of this year. */
export type KnownYear = (year: number) => boolean;

/** Nothing is published before its year: a year in the future is a mistake, or part of another number. */
export const isNotInFuture: KnownYear = (year) => year <= new Date().getUTCFullYear();

/** The last four-digit year in the text for which the product has a vintage; dates like 20240130 are not years. */
export function yearIn(text: string, isKnown: KnownYear = isNotInFuture): number | undefined {
  return [...text.matchAll(YEAR)].map((match) => Number(match[1])).findLast((year) => isKnown(year));
}

/** All different years in the text for which the product has a vintage, ascending. */
export function yearsIn(text: string, isKnown: KnownYear): number[] {
  const years = [...text.matchAll(YEAR)].map((match) => Number(match[1]));
  return [...new Set(years.filter((year) => isKnown(year)))].sort((a, b) => a - b);
}

/** The folders and archives on the file's path, outermost first. */
export const foldersOf = (file: InputFile): readonly string[] => file.label.split(/[/!]/).slice(0, -1);

/** The year in the name of the innermost folder or archive on the file's path that has one. */
export function yearOfFolders(file: InputFile, isKnown: KnownYear = isNotInFuture): number | undefined {
  for (const folder of foldersOf(file).toReversed()) {
    const year = yearIn(folder, isKnown);
    if (year !== undefined) return year;
  }
  return undefined;
}

/** The year in the file's own name or, if it has none, in its folders. */
export function yearOfFile(file: InputFile, isKnown: KnownYear = isNotInFuture): number | undefined {
  return yearIn(file.name, isKnown) ?? yearOfFolders(file, isKnown);
}
