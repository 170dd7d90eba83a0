import { firstAtLeast } from '../../core/first-at-least.js';
import { hashKey } from './key-hash.js';

/** Keys with one character left out, by hash: two keys that differ by one slip of the pen have one of these in common. */
export interface SpellingIndex {
  /** Ascending. */
  readonly hashes: Uint32Array;
  /** The row of the key of each hash. */
  readonly rows: Uint32Array;
}

/** Of shorter keys nearly everything is one slip away. */
const MIN_SPELLING_LENGTH = 3;

/** Builds the index: for each key its own hash and those without each of its characters, each once. */
export function buildSpellingIndex(keys: readonly string[]): SpellingIndex {
  const pairs: number[] = [];
  keys.forEach((key, row) => {
    // A double holds both exactly: rows stay below 2^21 in a state.
    for (const hash of spellingHashes(key)) pairs.push(hash * ROWS_MAX + row);
  });
  const sorted = Float64Array.from(pairs).sort();
  return {
    hashes: Uint32Array.from(sorted, (pair) => Math.floor(pair / ROWS_MAX)),
    rows: Uint32Array.from(sorted, (pair) => pair % ROWS_MAX),
  };
}

export const ROWS_MAX = 2 ** 21;

function spellingHashes(key: string): Set<number> {
  const hashes = new Set<number>();
  if (key.length < MIN_SPELLING_LENGTH) return hashes;
  for (let without = -1; without < key.length; without++) hashes.add(hashKey(key, without));
  return hashes;
}

/** The rows whose keys may be one slip away from a key, each once; keys that share a hash by chance are among them. */
export function rowsSpelledAlike({ hashes, rows }: SpellingIndex, key: string): Set<number> {
  const found = new Set<number>();
  for (const hash of spellingHashes(key)) {
    for (let at = firstAtLeast(hashes, hash); hashes[at] === hash; at++) found.add(rows[at] ?? 0);
  }
  return found;
}
