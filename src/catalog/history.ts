import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from './durable-files.js';
import { isGenerationName, isMissing, listGenerations, readCurrent } from './generations.js';

const HISTORY_FILE = 'HISTORY';
/** Longer than anyone keeps generations. */
const ENTRIES_MAX = 1000;

/** The path of the file that lists what was live, oldest first, each generation once. */
export function historyPath(datasetsDir: string): string {
  return join(datasetsDir, HISTORY_FILE);
}

/**
 * Puts a generation behind the current one, which it is about to follow. What came after the current one, before it was
 * gone back to, is forgotten. Written before `CURRENT` is: a crash between the two leaves a name too many at the end.
 */
export function recordSuccessor(datasetsDir: string, generation: string): void {
  const current = readCurrent(datasetsDir);
  const passed = current === undefined ? [] : [...upTo(readHistory(datasetsDir), current), current];
  const names = [...passed.filter((name) => name !== generation), generation].slice(-ENTRIES_MAX);
  replaceFile(historyPath(datasetsDir), names.map((name) => `${name}\n`).join(''));
}

/** The generations that were live before the current one and are still there, the latest first. */
export function earlierGenerations(datasetsDir: string): string[] {
  const current = readCurrent(datasetsDir);
  if (current === undefined) return [];
  const there = new Set(listGenerations(datasetsDir));
  return upTo(readHistory(datasetsDir), current)
    .filter((name) => there.has(name))
    .reverse();
}

function upTo(names: readonly string[], current: string): string[] {
  const at = names.indexOf(current);
  return at < 0 ? [] : names.slice(0, at);
}

function readHistory(datasetsDir: string): string[] {
  try {
    return readFileSync(historyPath(datasetsDir), 'utf8').split('\n').filter(isGenerationName);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
