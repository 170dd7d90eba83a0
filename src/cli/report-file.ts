import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../core/message-of.js';
import { CliError } from './cli-error.js';

/**
 * Removes a former run's report, which must not be taken for one of this run if this run fails. Throws `CliError` if a
 * report cannot be written, or would take the place of a file that is no report, so that this shows before the work rather
 * than after it. Does not open anything but a regular file: opening a named pipe would wait for its reader.
 */
export function prepareReport(path: string | undefined): void {
  if (path === undefined) return;
  try {
    if (existsSync(path) && statSync(path).isDirectory()) throw new Error('it is a directory');
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
    if (existsSync(path) && statSync(path).isFile()) removeReport(realpathSync(path));
  } catch (error) {
    const why = messageOf(error);
    throw new CliError(`--report: ${path} cannot be written: ${why}\nNothing was published.`, 1);
  }
}

/** Throws if the file is no report, such as one of the input. Empties it if its directory lets nobody remove it. */
function removeReport(path: string): void {
  if (!beginsAsReport(path)) throw new Error('it holds something else than a report; delete it or choose another name');
  try {
    rmSync(path);
  } catch {
    truncateSync(path);
  }
}

/** Whether a file is empty, or begins as JSON of an object does: it may be a report that was cut off. */
function beginsAsReport(path: string): boolean {
  const first = Buffer.alloc(1);
  const fd = openSync(path, 'r');
  try {
    return readSync(fd, first, 0, 1, 0) === 0 || first.toString('latin1') === '{';
  } finally {
    closeSync(fd);
  }
}
