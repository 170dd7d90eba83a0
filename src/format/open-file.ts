import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { cannotOpen, FormatError } from './format-error.js';

/** Opens a file for reading; the caller closes it. Throws {@link FormatError} if it cannot be opened, or is no file. */
export function openFile(path: string): { readonly fd: number; readonly sizeBytes: number } {
  const fd = open(path);
  try {
    const status = fstatSync(fd);
    if (!status.isFile()) throw new FormatError('cannot-open', path, 'it is not a file');
    return { fd, sizeBytes: status.size };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function open(path: string): number {
  try {
    // A pipe of this name would otherwise be waited for until somebody writes to it.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw cannotOpen(path, error);
  }
}
