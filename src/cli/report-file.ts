import { accessSync, constants, existsSync, realpathSync, rmSync, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../core/message-of.js';
import { CliError } from './cli-error.js';

/**
 * Removes a former run's report, which must not be taken for one of this run if this run fails. Throws `CliError` if a
 * report cannot be written, so that this shows before the work rather than after it. Does not open anything but a regular
 * file: opening a named pipe would wait for its reader.
 */
export function prepareReport(path: string | undefined): void {
  if (path === undefined) return;
  try {
    if (existsSync(path) && statSync(path).isDirectory()) throw new Error('it is a directory');
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
    if (existsSync(path) && statSync(path).isFile()) removeFile(realpathSync(path));
  } catch (error) {
    const why = messageOf(error);
    throw new CliError(`--report: ${path} cannot be written: ${why}\nNothing was published.`, 1);
  }
}

/** Empties the file if its directory lets nobody remove it. */
function removeFile(path: string): void {
  try {
    rmSync(path);
  } catch {
    truncateSync(path);
  }
}
