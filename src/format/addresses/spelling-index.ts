import { firstAtLeast } from '../../core/first-at-least.js';
import { hashesWithoutOne, hashKey } from './key-hash.js';

/**
 * Hashes of the keys and of the keys with one character left out: two keys that differ by one typo have at least one of
 * these in common.
 */
export interface SpellingIndex {
  /** Ascending. */
  readonly hashes: Uint32Array;
  /** By hash: the row of its key. */
  readonly rows: Uint32Array;
}

/** Shorter keys are not indexed: nearly every short key is one typo away from another. */
const MIN_SPELLING_LENGTH = 3;

/** Builds the index from each key's own hash and its hashes without each of its characters, without duplicates. */
export function buildSpellingIndex(keys: readonly string[]): SpellingIndex {
  const pairs: number[] = [];
  keys.forEach((key, row) => {
    // A double holds hash and row exactly, since a state has fewer than 2^21 rows.
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
  return key.length < MIN_SPELLING_LENGTH ? new Set() : hashesWithoutOne(key).add(hashKey(key));
}

/**
 * The longest key for which others are looked up, since that takes quadratic time and an address may be one word of 500
 * letters. A TIGER/Line file holds no longer name of a street.
 */
export const MAX_SPELLED_LENGTH = 100;

/**
 * The rows whose keys may be one typo away from a key; includes keys that share a hash by chance. None for a key longer than
 * {@link MAX_SPELLED_LENGTH}.
 */
export function rowsSpelledAlike({ hashes, rows }: SpellingIndex, key: string): Set<number> {
  const found = new Set<number>();
  if (key.length > MAX_SPELLED_LENGTH) return found;
  for (const hash of spellingHashes(key)) {
    for (let at = firstAtLeast(hashes, hash); hashes[at] === hash; at++) found.add(rows[at] ?? 0);
  }
  return found;
}
