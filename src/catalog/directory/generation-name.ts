import { basename } from 'node:path';
import { contentHash } from '../../format/checksum.js';
import type { SectionEntry } from '../../format/container-header.js';
import { type Dataset, findDamage, readSections } from '../../format/dataset.js';
import { FormatError } from '../../format/format-error.js';
import { isGenerationName } from './generations.js';

/** One file of a generation, and what it consists of. */
export interface WrittenFile {
  readonly name: string;
  readonly sections: readonly SectionEntry[];
}

/** The hash of all sections' names, kinds, lengths and checksums: equal contents have equal names. */
export function generationName(files: readonly WrittenFile[]): string {
  const lines = files.flatMap((file) =>
    file.sections.map(
      (section) => `${file.name} ${section.name} ${section.element} ${section.sizeBytes} ${section.xxh3}\n`,
    ),
  );
  return contentHash(Buffer.from(lines.join('')));
}

/**
 * Like {@link findDamage}, and if no file is damaged, whether they are all that the generation was published with: some need
 * not be there, so that without its name nothing would tell that one is gone.
 */
export function findGenerationDamage(directory: string): FormatError[] {
  const damage = findDamage(directory);
  if (damage.length > 0 || isNamedAfter(readSections(directory), basename(directory))) return damage;
  return [wrongFiles(directory)];
}

/**
 * Passes on an opened generation if its files are all that it was published with, by their headers; otherwise releases it
 * and throws FormatError, as for a copy that is not complete yet.
 */
export function requireAllFiles(dataset: Dataset): Dataset {
  const { containers, mappings, generation, directory } = dataset;
  const files = containers.map(({ sections }, index) => ({ name: basename(mappings[index]?.path ?? ''), sections }));
  if (isNamedAfter(files, generation)) return dataset;
  dataset.release();
  throw wrongFiles(directory);
}

/** Whether a directory's name is that of its files, or not the name of a generation at all. */
function isNamedAfter(files: readonly WrittenFile[], name: string): boolean {
  return !isGenerationName(name) || generationName(files) === name;
}

function wrongFiles(directory: string): FormatError {
  const detail = 'its files are not those that it was published with: one is missing, or belongs to another generation';
  return new FormatError('wrong-files', directory, detail);
}
