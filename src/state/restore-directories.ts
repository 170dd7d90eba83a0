import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { dataFilePath } from './data-file.js';
import { namesIn } from './names-in.js';
import { StateError } from './state-error.js';

/** As many as Linux follows. */
const LINKS_MAX = 40;

/**
 * The path of a state directory: where a symbolic link of its name leads, even if nothing is there. A restore replaces that
 * directory, since whoever made the link wants the state to lie there.
 */
export function placeOf(directory: string): string {
  let path = resolve(directory);
  for (let links = 0; links < LINKS_MAX; links++) {
    const target = linkTarget(path);
    if (target === undefined) return path;
    path = target;
  }
  return path;
}

function linkTarget(path: string): string | undefined {
  let target: string;
  try {
    target = readlinkSync(path);
  } catch {
    return undefined;
  }
  // Not joined: of `current/../state`, which leads beside where `current` does, that would take `current/..` off.
  const whole = isAbsolute(target) ? target : `${dirname(path)}/${target}`;
  try {
    return join(realpathSync.native(dirname(whole)), basename(whole));
  } catch {
    return resolve(whole);
  }
}

/**
 * The paths that a restore uses beside a state directory: the new directory while it is being built, and once it is
 * complete.
 */
export const buildingPath = (directory: string, pid: number): string => `${directory}.building-${pid}`;
export const restoringPath = (directory: string, pid: number): string => `${directory}.restoring-${pid}`;
const BUILT = /^\.(building|restoring)-(\d+)$/;
const FORMER = /^\.before-\d{8}T\d{6}Z$/;

/** Where a restore puts the directory that it replaces: under the current second, or the next that no other restore took. */
export function formerPath(directory: string, now: Date): string {
  const path = `${directory}.before-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  return existsSync(path) ? formerPath(directory, new Date(now.getTime() + 1000)) : path;
}

interface LeftByRestore {
  readonly path: string;
  /** `building`: an incomplete new directory; `restoring`: a complete one; `former`: the one that was replaced. */
  readonly kind: 'building' | 'restoring' | 'former';
  /** The process that built it. */
  readonly pid?: number;
}

/** The directories that restores have left beside a state directory. */
export function leftByRestores(directory: string): LeftByRestore[] {
  const place = placeOf(directory);
  const [above, name] = [dirname(place), basename(place)];
  return namesIn(above)
    .filter((entry) => entry.startsWith(name))
    .flatMap((entry): LeftByRestore[] => {
      const [path, suffix] = [join(above, entry), entry.slice(name.length)];
      if (FORMER.test(suffix)) return [{ path, kind: 'former' }];
      const [, verb, pid] = BUILT.exec(suffix) ?? [];
      if (verb === undefined) return [];
      return [{ path, kind: verb === 'building' ? 'building' : 'restoring', pid: Number(pid) }];
    });
}

/**
 * Throws StateError if the directory has no data file and a restore was interrupted or is in progress: otherwise a new,
 * empty state would be made there, and nobody would notice.
 */
export function refuseCutOffRestore(directory: string): void {
  if (existsSync(dataFilePath(directory))) return;
  const left = leftByRestores(directory);
  const place = placeOf(directory);
  // Beside a link's target, that is what has to be named.
  const named = place === resolve(directory) ? directory : place;
  const hasLeft = (wanted: LeftByRestore['kind']): boolean => left.some(({ kind }) => kind === wanted);
  // A `former` directory stays after every restore, and says nothing by itself.
  if (hasLeft('restoring')) {
    const names = namesOf(left.filter(({ kind }) => kind !== 'building'));
    const what = `no state found, but ${names} beside it: a restore was interrupted`;
    const advice =
      'restore again, rename one of them to this directory, or move them away to start with an empty state';
    throw new StateError('corrupt', named, `${what}; ${advice}`);
  }
  if (hasLeft('building')) {
    const names = namesOf(left.filter(({ kind }) => kind === 'building'));
    const what = `no state found, but an incomplete one in ${names} beside it: a restore has not finished`;
    throw new StateError('corrupt', named, `${what}; restore again, or remove it to start with an empty state`);
  }
}

const namesOf = (left: readonly LeftByRestore[]): string => left.map(({ path }) => basename(path)).join(' and ');
