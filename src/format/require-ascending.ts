import type { ContainerReader } from './container-reader.js';
import { FormatError } from './format-error.js';

/**
 * Holds the positions at which rows begin in another table, and the end of the last, against the table's length: none
 * lies before the one before it, and all of them together are the table. Else a flipped bit would have a loop go on for
 * minutes. Throws FormatError. O(positions).
 */
export function requireAscending(
  { label }: Pick<ContainerReader, 'label'>,
  section: string,
  positions: Uint32Array,
  length: number,
): void {
  let before = 0;
  for (const position of positions) {
    if (position < before)
      throw new FormatError('bad-index', label, `goes back from ${before} to ${position}`, section);
    before = position;
  }
  if (before !== length) throw new FormatError('bad-index', label, `ends at ${before}, not at ${length}`, section);
}
