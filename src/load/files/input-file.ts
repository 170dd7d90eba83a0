import { createReadStream } from 'node:fs';
import { PassThrough, type Readable, Transform } from 'node:stream';
import { crc32, createGunzip, createInflateRaw } from 'node:zlib';
import { type Entry, openPromise } from 'yauzl';
import { InputError, type InputFile } from '../model.js';
import { isHidden } from './list-files.js';

const INFLATED_CHUNK_BYTES = 256 * 1024;

/** A file on disk as it is. */
export function plainFile(path: string, label: string, name: string, sizeBytes: number): InputFile {
  return { label, name, sizeBytes, open: async () => through(createReadStream(path), new PassThrough(), label) };
}

/** A gzipped file; `name` is without `.gz`. */
export function gzippedFile(path: string, label: string, name: string, sizeBytes: number): InputFile {
  return {
    label,
    name,
    sizeBytes,
    open: async () =>
      through(
        through(createReadStream(path), createGunzip({ chunkSize: INFLATED_CHUNK_BYTES }), label),
        new PassThrough(),
        label,
      ),
  };
}

/** The files in a zip archive, hidden ones left out. Throws `InputError` where it is no archive or its directory is cut off. */
export async function zipMembers(path: string, label: string): Promise<InputFile[]> {
  const members: InputFile[] = [];
  await naming(label, async () => {
    const archive = await openPromise(path);
    for await (const entry of archive.eachEntry()) {
      const hidden = entry.fileName.split('/').some(isHidden);
      if (!hidden && !entry.fileName.endsWith('/')) members.push(zipMember(path, label, entry));
    }
  });
  return members;
}

function zipMember(path: string, archiveLabel: string, entry: Entry): InputFile {
  const label = `${archiveLabel}!${entry.fileName}`;
  return {
    label,
    name: entry.fileName.slice(entry.fileName.lastIndexOf('/') + 1),
    sizeBytes: entry.uncompressedSize,
    open: () =>
      naming(label, async () => {
        // An archive of its own for each stream: members are then independent, and nothing stays open in between.
        const archive = await openPromise(path, { autoClose: false });
        const stored = await archive.openReadStreamPromise(entry, { decodeFileData: false });
        const checked = through(inflate(stored, entry, label), checkContent(entry, label), label);
        return checked.on('close', () => archive.close());
      }),
  };
}

const STORED = 0;
const DEFLATED = 8;

/** Inflates a member in pieces of 256 KiB: zlib's own 16 KiB make the turns between threads the larger part of the work. */
function inflate(stored: Readable, entry: Entry, label: string): Readable {
  if (entry.compressionMethod === STORED && !entry.isEncrypted()) return stored;
  if (entry.compressionMethod === DEFLATED && !entry.isEncrypted()) {
    return through(stored, createInflateRaw({ chunkSize: INFLATED_CHUNK_BYTES }), label);
  }
  throw new InputError(`${label}: cannot be read: encrypted, or compressed by method ${entry.compressionMethod}`);
}

/** Passes bytes through and fails where they are more than the archive's directory says, or have another CRC-32. */
function checkContent(entry: Entry, label: string): Transform {
  let actual = 0;
  let sizeBytes = 0;
  const damaged = (how: string): InputError => new InputError(`${label}: cannot be read: ${how}, it is damaged`);
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

/** Pipes into a transform; errors of the source end it with the file's name, and closing it closes the source. */
function through(source: Readable, transform: Transform, label: string): Readable {
  source.on('error', (error) => transform.destroy(asInputError(error, label)));
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

function asInputError(error: unknown, label: string): InputError {
  if (error instanceof InputError) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new InputError(`${label}: cannot be read: ${text}`, { cause: error });
}
