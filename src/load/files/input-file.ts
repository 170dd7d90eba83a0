import { createReadStream } from 'node:fs';
import { PassThrough, type Readable, Transform } from 'node:stream';
import { crc32, createGunzip } from 'node:zlib';
import { type Entry, openPromise } from 'yauzl';
import { InputError, type InputFile } from '../model.js';

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
    open: async () => through(through(createReadStream(path), createGunzip(), label), new PassThrough(), label),
  };
}

/** The files in a zip archive. Throws `InputError` where it is no archive or its directory is cut off. */
export async function zipMembers(path: string, label: string): Promise<InputFile[]> {
  const members: InputFile[] = [];
  await naming(label, async () => {
    const archive = await openPromise(path);
    for await (const entry of archive.eachEntry()) {
      if (!entry.fileName.endsWith('/')) members.push(zipMember(path, label, entry));
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
        const stream = await archive.openReadStreamPromise(entry);
        const checked = through(stream, checkCrc(entry.crc32, label), label);
        return checked.on('close', () => archive.close());
      }),
  };
}

/** Passes bytes through and fails at the end where their CRC-32 is another than the archive's directory says. */
function checkCrc(expected: number, label: string): Transform {
  let actual = 0;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      actual = crc32(chunk, actual);
      done(null, chunk);
    },
    flush: (done) => {
      done(actual === expected ? null : new InputError(`${label}: cannot be read: its CRC-32 differs, it is damaged`));
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
