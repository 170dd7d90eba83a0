import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../core/message-of.js';
import { CliError } from './cli-error.js';

/**
 * Throws `CliError` if a report cannot be written, so that this shows before the work rather than after it. Does not open
 * the file: opening a named pipe would wait for its reader.
 */
export function checkReport(path: string | undefined): void {
  if (path === undefined) return;
  try {
    if (existsSync(path) && statSync(path).isDirectory()) throw new Error('it is a directory');
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
  } catch (error) {
    const why = messageOf(error);
    throw new CliError(`--report: ${path} cannot be written: ${why}\nNothing was published.`, 1);
  }
}
