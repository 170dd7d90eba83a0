import type { Readable } from 'node:stream';

/** One file of the input: on disk, gzipped, or a member of a zip archive. */
export interface InputFile {
  /** As people are shown it: the path below the input directory, with `!` before an archive's member. */
  readonly label: string;
  /** The base name without `.gz`, as the agency gave it. */
  readonly name: string;
  /** Bytes after decompression where that is known beforehand, else the size on disk. */
  readonly sizeBytes: number;
  /** Where another thread finds it; undefined where it is not on disk. */
  readonly place?: FilePlace | undefined;
  /** A new stream over the decompressed bytes. It fails with an `InputError` that names the file. */
  open(): Promise<Readable>;
}

/** Where a file lies. */
export interface FilePlace {
  readonly disk: DiskFile;
  /** Which of an archive's members it is, from 0; 0 where it is no archive. */
  readonly member: number;
}

/** A file or an archive on disk. */
export interface DiskFile {
  readonly path: string;
  /** As people are shown it. */
  readonly label: string;
}

/** A problem with an input file that ends the compile. The message names the file and what is wrong. */
export class InputError extends Error {
  override readonly name = 'InputError';
}
