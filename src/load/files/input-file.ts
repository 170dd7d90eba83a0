import { createReadStream } from 'node:fs';
import { PassThrough, Readable, Transform } from 'node:stream';
import { crc32, createGunzip, createInflateRaw } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { messageOf } from '../../core/message-of.js';
import { printable } from '../../core/printable.js';
import { systemCode } from '../../core/system-code.js';
import { cannotRead, damagedFile, InputError, type InputFile } from '../input.js';
import { isGzip, isWebPage, whyNoArchive } from './content-kind.js';
import { isHidden } from './list-files.js';
import { memberName, openArchive } from './open-archive.js';
import { readHead } from './read-head.js';

const HEAD_BYTES = 512;

/**
 * The chunk size for reading and inflating: with Node's defaults of 64 and 16 KiB, switching between threads is the
 * larger part of the work.
 */
const CHUNK_BYTES = 256 * 1024;

/** An uncompressed file on disk. */
export function plainFile(path: string, label: string, name: string, sizeBytes: number): InputFile {
  return {
    label,
    name,
    sizeBytes,
    place: { disk: { path, label }, member: 0 },
    open: async () => through(readBytes(path), new PassThrough(), label),
  };
}

/** A gzipped file; `name` comes without `.gz`. */
export function gzippedFile(path: string, label: string, name: string, sizeBytes: number): InputFile {
  return {
    label,
    name,
    sizeBytes,
    place: { disk: { path, label }, member: 0 },
    open: () =>
      naming(label, async () => {
        const head = await readHead(path, HEAD_BYTES);
        // Said before what gzip makes of it, whose remedy would be another.
        if (isWebPage(head.toString('utf8').replace(/^\uFEFF/, ''))) {
          throw new InputError(
            `${label}: cannot be read: it is a web page, not compressed with gzip; download it again`,
          );
        }
        const isGzipped = isGzip(head);
        const unzipped = through(readBytes(path), createGunzip({ chunkSize: CHUNK_BYTES }), label);
        return through(unzipped, new PassThrough(), label, (error) => gzipFault(error, isGzipped));
      }),
  };
}

/** What is wrong with a gzipped file, in words that say what to do: zlib only names the check that failed. */
function gzipFault(error: unknown, isGzipped: boolean): string {
  const text = messageOf(error);
  // Also the error for what follows the end of the compressed content.
  if (text === 'incorrect header check' && !isGzipped) {
    return 'it is not compressed with gzip; remove .gz from its name';
  }
  const code = systemCode(error);
  return code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR' ? `it is damaged; download it again (${text})` : text;
}

/**
 * The files in a zip archive, except hidden ones. Throws `InputError` if it is no archive, its central directory is
 * cut off, or members overlap.
 */
export async function zipMembers(path: string, label: string): Promise<InputFile[]> {
  const members: InputFile[] = [];
  await naming(label, async () => {
    const archive = await openArchive(path).catch(async (error: unknown) => {
      // A disk that fails says nothing about the file's content.
      if (systemCode(error) !== undefined) throw error;
      const why = whyNoArchive(await readHead(path, HEAD_BYTES));
      throw new InputError(`${label}: cannot be read: ${why}`, { cause: error });
    });
    let neededBytes = 0;
    for await (const entry of entriesOf(archive, label)) {
      neededBytes += bytesInArchive(entry);
      if (neededBytes > archive.fileSize) {
        throw damagedFile(label, 'cannot be read: its members overlap');
      }
      const name = memberName(entry);
      const isFile = name !== '' && !name.endsWith('/');
      if (isFile && !name.split('/').some(isHidden)) members.push(zipMember(path, label, name, entry, members.length));
    }
  });
  return members;
}

async function* entriesOf(archive: ZipFile, label: string): AsyncGenerator<Entry> {
  try {
    yield* archive.eachEntry();
  } catch (error) {
    const text = messageOf(error);
    if (systemCode(error) !== undefined) throw error;
    if (text.startsWith('strong encryption')) throw encrypted(label);
    throw damagedFile(label, `cannot be read: its directory is not whole (${text})`);
  }
}

const encrypted = (label: string): InputError => new InputError(`${label}: cannot be read: it is encrypted; unpack it`);

/** The lengths of a member's header and of its entry in the directory, without names and extra fields. */
const HEADER_BYTES = 30;
const ENTRY_BYTES = 46;

/**
 * The fewest bytes that a member takes of its archive. A few megabytes can name the same bytes as thousands of members, which
 * together would be larger than any disk, and take weeks to read.
 */
function bytesInArchive({ compressedSize, fileNameLength }: Entry): number {
  return HEADER_BYTES + ENTRY_BYTES + fileNameLength + compressedSize;
}

function zipMember(path: string, archiveLabel: string, name: string, entry: Entry, member: number): InputFile {
  const label = `${archiveLabel}!${printable(name)}`;
  return {
    label,
    name: name.slice(name.lastIndexOf('/') + 1),
    sizeBytes: entry.uncompressedSize,
    place: { disk: { path, label: archiveLabel }, member },
    open: () =>
      naming(label, async () => {
        // Before anything is opened that would then stay open.
        const { compressionMethod: method } = entry;
        if (entry.isEncrypted()) throw encrypted(label);
        if (![STORED, DEFLATED].includes(method)) {
          throw new InputError(`${label}: cannot be read: it is compressed by method ${method}; unpack it`);
        }
        const stored = await readStored(path, entry);
        const bytes = entry.compressionMethod === STORED ? stored : inflate(stored, label);
        return through(bytes, checkContent(entry, label), label);
      }),
  };
}

/** A member's bytes as stored in the archive, possibly compressed. */
async function readStored(path: string, entry: Entry): Promise<Readable> {
  // Opened only to find the bytes: members are then read independently, and nothing stays open in between.
  const archive = await openArchive(path, { autoClose: false });
  try {
    const { fileDataStart } = await archive.readLocalFileHeaderPromise(entry, { minimal: true });
    return readBytes(path, fileDataStart, entry.compressedSize);
  } finally {
    archive.close();
  }
}

/** A file's bytes, or `sizeBytes` of them starting at `start`. */
function readBytes(path: string, start = 0, sizeBytes = Number.POSITIVE_INFINITY): Readable {
  if (sizeBytes === 0) return Readable.from([]);
  return createReadStream(path, { start, end: start + sizeBytes - 1, highWaterMark: CHUNK_BYTES });
}

const STORED = 0;
const DEFLATED = 8;

const inflate = (stored: Readable, label: string): Readable =>
  through(stored, createInflateRaw({ chunkSize: CHUNK_BYTES }), label);

/** Passes bytes through, and fails if they are more than the archive's directory says or their CRC-32 differs. */
function checkContent(entry: Entry, label: string): Transform {
  let actual = 0;
  let sizeBytes = 0;
  const damaged = (how: string): InputError => damagedFile(label, `cannot be read: ${how}`);
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      actual = crc32(chunk, actual);
      sizeBytes += chunk.byteLength;
      if (sizeBytes > entry.uncompressedSize) done(damaged('it is longer than its archive says'));
      else done(null, chunk);
    },
    flush: (done) => {
      done(actual === entry.crc32 ? null : damaged('its CRC-32 differs'));
    },
  });
}

/** Pipes into a transform. An error of the source destroys it, naming the file; closing it destroys the source. */
function through(source: Readable, transform: Transform, label: string, describe = messageOf): Readable {
  source.on('error', (error) => transform.destroy(asInputError(error, label, describe)));
  transform.on('close', () => source.destroy());
  return source.pipe(transform);
}

async function naming<T>(label: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asInputError(error, label);
  }
}

function asInputError(error: unknown, label: string, describe = messageOf): InputError {
  return error instanceof InputError ? error : cannotRead(label, error, describe);
}
