import type { Readable } from 'node:stream';
import { messageOf } from '../core/message-of.js';

/** One input file: plain, gzipped, or a member of a zip archive. */
export interface InputFile {
  /** For messages: the path below the input directory, with `!` before an archive's member. */
  readonly label: string;
  /** The base name that the agency gave it, without `.gz`. */
  readonly name: string;
  /** The decompressed size if it is known beforehand, else the size on disk. */
  readonly sizeBytes: number;
  /** Where another thread can open it; undefined if it is not on disk. */
  readonly place?: FilePlace | undefined;
  /** Opens a new stream of the decompressed bytes, which fails with an `InputError` that names the file. */
  open(): Promise<Readable>;
}

/** The location of a file. */
export interface FilePlace {
  readonly disk: DiskFile;
  /** The file's index among the members of the archive, from 0; 0 if `disk` is not an archive. */
  readonly member: number;
}

/** A file or an archive on disk. */
export interface DiskFile {
  readonly path: string;
  /** For messages. */
  readonly label: string;
}

/** A problem with an input file that ends the compile. The message names the file and the problem. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** The error for a file that cannot be read, because of this one; `describe` gives its text. */
export function cannotRead(label: string, error: unknown, describe = messageOf): InputError {
  return new InputError(`${label}: cannot be read: ${describe(error)}`, { cause: error });
}

/** The error for a file whose bytes are not those that were published. */
export function damagedFile(label: string, fault: string): InputError {
  return new InputError(`${label}: ${fault}; it is damaged, so download it again`);
}
