import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { secretKeyText } from '../core/secret-key-text.js';
import { systemCode } from '../core/system-code.js';
import { syncDirectory } from '../platform/durable-files.js';
import { namesIn } from './names-in.js';
import { SECRET_KEY_BYTES } from './secret-box.js';
import { StateError, toStateError, unreadable } from './state-error.js';

/** What follows a key file's name in that of a file which is to become one. */
const TEMPORARY_SUFFIX = /^\.[0-9a-f]{16}$/;

/**
 * Reads the key from the named file of a state directory; if there is no such file, makes one with a random key. Processes
 * that start at the same time agree on one key. Only its owner may read the file (mode 0600). The directory must exist.
 *
 * Throws {@link StateError}: `not-private` if others may use the file, `corrupt` if it holds something else than a key, and
 * other codes for errors of the file system.
 */
export function loadSecretKey(directory: string, fileName: string): Uint8Array {
  const path = join(directory, fileName);
  try {
    const key = readKey(directory, path) ?? makeKey(directory, path);
    removeLeftKeys(directory, fileName);
    return key;
  } catch (error) {
    throw toStateError(directory, error);
  }
}

/** Like {@link loadSecretKey}, but makes no file: undefined if there is none. */
export function findSecretKey(directory: string, fileName: string): Uint8Array | undefined {
  try {
    return readKey(directory, join(directory, fileName));
  } catch (error) {
    throw toStateError(directory, error);
  }
}

function makeKey(directory: string, path: string): Uint8Array {
  const temporary = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    const text = `${randomBytes(SECRET_KEY_BYTES).toString('hex')}\n`;
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx', flush: true });
    // A link makes the file appear complete or not at all, and never replaces another process's key.
    linkSync(temporary, path);
  } catch (error) {
    // Another process has made a key, and may have removed this one since.
    if (systemCode(error) !== 'EEXIST' && systemCode(error) !== 'ENOENT') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  // The file must be durable before the key is used: secrets that are sealed with a lost key are lost.
  syncDirectory(directory);
  const key = readKey(directory, path);
  if (key === undefined) throw new StateError('io-failed', directory, `${path} disappeared right after it was created`);
  return key;
}

/**
 * Removes what processes have left that were killed while they made a key: it may be the key itself, and would stay when that
 * is replaced. To be called once there is a key, which a process that is making another takes instead.
 */
function removeLeftKeys(directory: string, fileName: string): void {
  for (const name of namesIn(directory)) {
    if (name.startsWith(fileName) && TEMPORARY_SUFFIX.test(name.slice(fileName.length))) {
      rmSync(join(directory, name), { force: true });
    }
  }
}

function readKey(directory: string, path: string): Uint8Array | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw unreadable(directory, path, error);
  }
  try {
    if ((fstatSync(file).mode & 0o077) !== 0) {
      throw new StateError(
        'not-private',
        directory,
        `${path} can be read or written by other users; set its mode to 0600`,
      );
    }
    const key = secretKeyText.safeParse(readText(file, directory, path).trim());
    if (key.success) return key.data;
    throw new StateError('corrupt', directory, `${path} does not hold 64 hexadecimal digits`);
  } finally {
    closeSync(file);
  }
}

function readText(file: number, directory: string, path: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(directory, path, error);
  }
}
