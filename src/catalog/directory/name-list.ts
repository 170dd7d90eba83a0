import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { replaceFile } from '../../platform/durable-files.js';
import { isGenerationName, isMissing, unreadable } from './generations.js';

/**
 * The generations that a file of the datasets directory lists, a line each; none if it does not exist. Throws
 * CatalogError if it cannot be read.
 */
export function readNames(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(isGenerationName);
  } catch (error) {
    if (isMissing(error)) return [];
    throw unreadable(basename(path), error);
  }
}

/** Takes a generation off the list of a file. */
export function removeName(path: string, generation: string): void {
  const names = readNames(path);
  const others = names.filter((name) => name !== generation);
  if (others.length < names.length) writeNames(path, others);
}

/** More than anyone keeps generations. */
const NAMES_MAX = 1000;

/** Replaces the file by one with these names, of which it keeps the last 1,000. */
export function writeNames(path: string, names: readonly string[]): void {
  const kept = names.slice(-NAMES_MAX);
  replaceFile(path, kept.map((name) => `${name}\n`).join(''));
}
