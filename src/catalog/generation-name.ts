import { basename } from 'node:path';
import { contentHash } from '../format/checksum.js';
import type { SectionEntry } from '../format/container-header.js';
import { findDamage, readSections } from '../format/dataset.js';
import { FormatError } from '../format/format-error.js';
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
  const name = basename(directory);
  if (damage.length > 0 || !isGenerationName(name) || generationName(readSections(directory)) === name) return damage;
  const detail = 'its files are not those that it was published with: one is missing, or belongs to another generation';
  return [new FormatError('wrong-files', directory, detail)];
}
