import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../platform/durable-files.js';
import { isGenerationName, isMissing, listGenerations, readCurrent } from './generations.js';

const HISTORY_FILE = 'HISTORY';
const SERVED_FILE = 'SERVED';
/** Longer than anyone keeps generations. */
const ENTRIES_MAX = 1000;

/** The path of the file that lists what was published, oldest first; what was published again is there again. */
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
  writeHistory(datasetsDir, [...passed, generation]);
}

/**
 * Forgets what came after a generation that was gone back to from the one that was `left`: where it was published more
 * than once, it is the earlier of the two again. Called when `CURRENT` names it: a crash before that leaves the way back
 * as it was.
 */
export function forgetAfter(datasetsDir: string, generation: string, left: string | undefined): void {
  const names = readHistory(datasetsDir);
  // A publication that was cut off may have left the name behind the generation that is gone back from.
  const before = left !== undefined && names.includes(left) ? upTo(names, left) : names;
  const kept = [...upTo(before.includes(generation) ? before : names, generation), generation];
  if (names.includes(generation) && kept.length < names.length) writeHistory(datasetsDir, kept);
}

function writeHistory(datasetsDir: string, names: readonly string[]): void {
  const kept = names.slice(-ENTRIES_MAX);
  replaceFile(historyPath(datasetsDir), kept.map((name) => `${name}\n`).join(''));
}

/**
 * The generations that were live before the current one, or another, and are still there, the latest first. What was
 * published and never answered from is not among them: nobody has seen it work. Where no service ever noted what it
 * answers from, all count.
 */
export function earlierGenerations(datasetsDir: string, before = readCurrent(datasetsDir)): string[] {
  if (before === undefined) return [];
  const there = new Set(listGenerations(datasetsDir));
  const served = new Set(readNames(servedPath(datasetsDir)));
  const earlier = upTo(readHistory(datasetsDir), before)
    .filter((name) => name !== before && there.has(name) && (served.size === 0 || served.has(name)))
    .reverse();
  return [...new Set(earlier)];
}

/**
 * Where a rollback goes: to what is live, where something else was published after it; else to what was live before.
 * Undefined where there is nothing of either kind.
 */
export function rollbackTarget(datasetsDir: string, live: string | undefined): string | undefined {
  const isWaiting = live !== undefined && live !== readCurrent(datasetsDir);
  return isWaiting && listGenerations(datasetsDir).includes(live) ? live : earlierGenerations(datasetsDir)[0];
}

/**
 * What was live before what is live now: where a rollback goes when nothing waits that it withdraws first. Undefined
 * where there is nothing of that kind.
 */
export function previousGeneration(datasetsDir: string, live: string | undefined): string | undefined {
  const target = rollbackTarget(datasetsDir, live);
  return target === live ? earlierGenerations(datasetsDir, live)[0] : target;
}

/** Notes that a service answers from a generation, once. A directory that cannot be written to is served all the same. */
export function noteServed(datasetsDir: string, generation: string): void {
  const path = servedPath(datasetsDir);
  try {
    if (!readNames(path).includes(generation)) appendFileSync(path, `${generation}\n`);
  } catch {
    // Then a rollback may go to a generation that was only published.
  }
}

function servedPath(datasetsDir: string): string {
  return join(datasetsDir, SERVED_FILE);
}

/** What came before a generation was published the last time. */
function upTo(names: readonly string[], current: string): string[] {
  const at = names.lastIndexOf(current);
  return at < 0 ? [] : names.slice(0, at);
}

function readHistory(datasetsDir: string): string[] {
  return readNames(historyPath(datasetsDir));
}

function readNames(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(isGenerationName);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
