import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileSystemReason, isFileSystemError } from '../../../src/platform/file-system-error.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

/** What the work throws. */
function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

const systemError = (code: string): Error => Object.assign(new Error(`${code}: why`), { code, syscall: 'write' });

test('file system errors are recognized with and without a path, and no other errors are', () => {
  const fd = openSync(join(temporaryDirectory(), 'file'), 'w');
  closeSync(fd);
  expect(isFileSystemError(thrownBy(() => readFileSync('/no/such/file')))).toBe(true);
  expect(isFileSystemError(thrownBy(() => writeSync(fd, 'x')))).toBe(true);
  const badArgument = thrownBy(() => openSync('a\0b', 'r'));
  for (const other of [badArgument, new Error('EIO'), 'EIO', undefined]) {
    expect(isFileSystemError(other)).toBe(false);
    expect(fileSystemReason(other)).toBeUndefined();
  }
});

test('the reason is in words if they are known, and always has the system’s message', () => {
  expect(fileSystemReason(systemError('ENOSPC'))).toBe('the disk is full (ENOSPC: why)');
  expect(fileSystemReason(systemError('EIO'))).toBe('EIO: why');
});
