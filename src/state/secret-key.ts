import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { systemCode } from '../core/system-code.js';
import { syncDirectory } from '../platform/durable-files.js';
import { SECRET_KEY_BYTES } from './secret-box.js';
import { StateError, toStateError } from './state-error.js';

/** A key of 32 bytes as text: 64 hexadecimal digits. */
export const secretKeyText = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/)
  .transform((text): Uint8Array => Buffer.from(text, 'hex'));

/**
 * The key in the named file of a state directory, made with random bytes where there is none; processes that start
 * together agree on one. Only its owner may read the file (mode 0600). The directory must exist.
 *
 * Throws {@link StateError}: `not-private` where others may read it, `corrupt` where it holds something else, and what
 * the file system tells.
 */
export function loadSecretKey(directory: string, fileName: string): Uint8Array {
  const path = join(directory, fileName);
  try {
    return readKey(directory, path) ?? makeKey(directory, path);
  } catch (error) {
    throw toStateError(directory, error);
  }
}

/** Likewise, where it is not to be made: undefined where there is none. */
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
    // Complete or not there, and never in place of another process's key.
    linkSync(temporary, path);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  // Secrets that are sealed with a lost key are lost.
  syncDirectory(directory);
  const key = readKey(directory, path);
  if (key === undefined) throw new StateError('io-failed', directory, `${path} is gone as soon as it is made`);
  return key;
}

function readKey(directory: string, path: string): Uint8Array | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    if ((fstatSync(file).mode & 0o077) !== 0) {
      throw new StateError('not-private', directory, `${path} can be used by others; its mode must be 0600`);
    }
    const key = secretKeyText.safeParse(readFileSync(file, 'utf8').trim());
    if (key.success) return key.data;
    throw new StateError('corrupt', directory, `${path} does not hold 64 hexadecimal digits`);
  } finally {
    closeSync(file);
  }
}
