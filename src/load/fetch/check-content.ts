import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isFileSystemError } from '../../platform/file-system-error.js';
import { zipMembers } from '../files/input-file.js';
import { readHead } from '../files/read-head.js';
import { InputError } from '../input.js';
import { FetchError } from './fetch-error.js';
import { hashFile } from './hash-file.js';
import { otherContent } from './other-content.js';

const HEAD_BYTES = 4096;

/**
 * Verifies a completely downloaded file: every member of an archive is read to its end and checked against its CRC-32;
 * other content in a table's place, such as a web page, is refused; a known checksum must match. Returns the SHA-256.
 * Throws `FetchError` (`damaged`), file-system errors, and an `AbortError` if the signal aborts.
 */
export async function checkContent(
  partPath: string,
  fileName: string,
  knownSha256: string | undefined,
  contentType: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const head = await readHead(partPath, HEAD_BYTES);
  if (head.byteLength === 0) throw new FetchError('damaged', 'the server sent an empty file');
  const other = otherContent(fileName, head, contentType);
  if (other !== undefined) throw new FetchError('damaged', `the server sent ${other} in place of ${fileName}`);
  if (/\.zip$/i.test(fileName)) await checkArchive(partPath, fileName, signal);
  const sha256 = await hashFile(partPath);
  if (knownSha256 !== undefined && sha256 !== knownSha256) {
    throw new FetchError('damaged', `its SHA-256 is ${sha256}, but ${knownSha256} was expected`);
  }
  return sha256;
}

async function checkArchive(path: string, fileName: string, signal: AbortSignal): Promise<void> {
  try {
    const members = await zipMembers(path, fileName);
    if (members.length === 0) throw new InputError(`${fileName}: the archive is empty`);
    for (const member of members) {
      // The registry's takes a minute.
      await pipeline(await member.open(), new Writable({ write: (_chunk, _encoding, done) => done() }), { signal });
    }
  } catch (error) {
    // What this machine's disk cannot read may be in order: another download would not help.
    if (error instanceof InputError && isFileSystemError(error.cause)) throw error.cause;
    if (error instanceof InputError) throw new FetchError('damaged', error.message, { cause: error });
    throw error;
  }
}
