import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { listGenerations, readCurrent } from './generations.js';
import { readNames, removeName, writeNames } from './name-list.js';

const HISTORY_FILE = 'HISTORY';
const SERVED_FILE = 'SERVED';

/** The path of the file that lists all publications, oldest first; a generation that was republished appears again. */
export function historyPath(datasetsDir: string): string {
  return join(datasetsDir, HISTORY_FILE);
}

/** The path of the file that lists the generations which a service has answered from. */
export function servedPath(datasetsDir: string): string {
  return join(datasetsDir, SERVED_FILE);
}

/**
 * Records a generation as the successor of the current one. Entries after the current one, which a rollback went back
 * from, are dropped. Written before `CURRENT`: a crash between the two leaves one name too many at the end.
 */
export function recordSuccessor(datasetsDir: string, generation: string): void {
  const [current, names] = [readCurrent(datasetsDir), readHistory(datasetsDir)];
  // A `CURRENT` that is lost or broken says nothing of what was live before.
  const passed = current === undefined ? names : [...upTo(names, current), current];
  writeNames(historyPath(datasetsDir), [...passed, generation]);
}

/**
 * After a rollback from `left` to `generation`, drops the entries that follow `generation`. If that was published more than
 * once, its last entry before `left` counts: of A B A C D, a rollback from C to A leaves A B A. Called once `CURRENT` names
 * it: a crash before leaves the history as it was.
 *
 * If none of the remaining entries is of `left`, it counts as never live until it goes live again: a `HISTORY` that is
 * copied from where it was compiled still names it, and a later rollback must not return to it.
 */
export function forgetAfter(datasetsDir: string, generation: string, left: string | undefined): void {
  const names = readHistory(datasetsDir);
  // A publication that was cut off may have left the name of `generation` after `left`, too.
  const beforeLeft = left === undefined ? -1 : upTo(names, left).lastIndexOf(generation);
  const at = beforeLeft >= 0 ? beforeLeft : names.lastIndexOf(generation);
  const remaining = at < 0 ? names : names.slice(0, at + 1);
  if (remaining.length < names.length) writeNames(historyPath(datasetsDir), remaining);
  if (left !== undefined && !remaining.includes(left)) removeName(servedPath(datasetsDir), left);
}

/**
 * The generations that were live before the given one (by default the current one) and still exist, the latest first.
 * Generations that were published but never live are left out: nobody has seen them work. If no service has ever recorded
 * which generations it answered from, all count.
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
 * The generation that a rollback goes to: the live one if another has been published and is not live yet, else the
 * previously live one. Undefined if there is neither.
 */
export function rollbackTarget(datasetsDir: string, live: string | undefined): string | undefined {
  const isWaiting = live !== undefined && live !== readCurrent(datasetsDir);
  return isWaiting && listGenerations(datasetsDir).includes(live) ? live : earlierGenerations(datasetsDir)[0];
}

/**
 * The generation that was live before the live one: where a rollback goes unless it first withdraws a published one.
 * Undefined if there is none.
 */
export function previousGeneration(datasetsDir: string, live: string | undefined): string | undefined {
  const target = rollbackTarget(datasetsDir, live);
  return target === live ? earlierGenerations(datasetsDir, live)[0] : target;
}

/**
 * Records that a service has answered from a generation, once until a rollback leaves it. Failing to write the record does
 * not stop the service.
 */
export function noteServed(datasetsDir: string, generation: string): void {
  const path = servedPath(datasetsDir);
  try {
    if (!readNames(path).includes(generation)) append(path, `${generation}\n`);
  } catch {
    // Without the record, a rollback may go to a generation that was published but never live.
  }
}

/** Does not follow a link, which might lead to any file of the service's. */
function append(path: string, line: string): void {
  const fd = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW);
  try {
    writeSync(fd, line);
  } finally {
    closeSync(fd);
  }
}

/** The names before the last entry of a generation. */
function upTo(names: readonly string[], current: string): string[] {
  const at = names.lastIndexOf(current);
  return at < 0 ? [] : names.slice(0, at);
}

function readHistory(datasetsDir: string): string[] {
  return readNames(historyPath(datasetsDir));
}
