import { closeSync, existsSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { syncDirectory, writeFully } from '../platform/durable-files.js';
import { makeDirectory } from '../platform/make-directory.js';
import { StateError, toStateError } from './state-error.js';

/** More than LMDB needs to create its files. */
const PROBE_BYTES = 65_536;

/** What a restore builds beside a state directory, and where it puts the one that was there. */
export const restoringPath = (directory: string, pid: number): string => `${directory}.restoring-${pid}`;
export const formerPath = (directory: string, now: Date): string =>
  `${directory}.before-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
const BUILT = /^\.restoring-(\d+)$/;
const FORMER = /^\.before-\d{8}T\d{6}Z$/;

/** What restores have left beside a state directory: their paths, and for what one was building its process. */
export function leftByRestores(directory: string): { readonly path: string; readonly pid?: number }[] {
  const [above, name] = [dirname(resolve(directory)), basename(resolve(directory))];
  return namesIn(above)
    .filter((entry) => entry.startsWith(name))
    .flatMap((entry) => {
      const suffix = entry.slice(name.length);
      const pid = BUILT.exec(suffix)?.[1];
      if (pid !== undefined) return [{ path: join(above, entry), pid: Number(pid) }];
      return FORMER.test(suffix) ? [{ path: join(above, entry) }] : [];
    });
}

/** None of a directory that is not there, or is none: whoever makes something in it is told so. */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/**
 * Throws StateError where the directory is not there since a restore was cut off between its two renames: a new one would
 * be empty, and nobody would know.
 */
export function refuseCutOffRestore(directory: string): void {
  if (existsSync(directory)) return;
  const left = leftByRestores(directory);
  // What was there before stays after every restore; what one has built, after one that was cut off.
  if (!left.some(({ pid }) => pid !== undefined)) return;
  const names = left.map(({ path }) => basename(path)).join(' and ');
  const what = `it is not there, but ${names} beside it: a restore was cut off`;
  throw new StateError(
    'corrupt',
    directory,
    `${what}; restore again, give one of them its name back, or move them away to begin anew`,
  );
}

/**
 * Makes the directory, for its owner alone, and tries a write in it: LMDB's binding ends the process where it can create
 * its files only in part. Throws StateError.
 */
export function prepareDirectory(directory: string): void {
  const probe = join(directory, `.probe-${process.pid}`);
  try {
    const created = makeDirectory(directory, 0o700);
    if (created !== undefined) syncDirectory(dirname(created));
    const file = openSync(probe, 'w', 0o600);
    try {
      writeFully(file, Buffer.alloc(PROBE_BYTES), 0);
      // Some file systems find out only now that there is no space.
      fsyncSync(file);
    } finally {
      closeSync(file);
      rmSync(probe, { force: true });
    }
  } catch (error) {
    throw toStateError(directory, error);
  }
}
