import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  type Options,
  openPromise,
  RandomAccessReader,
  validateFileName,
  type ZipFile,
} from 'yauzl';
import { systemCode } from '../../core/system-code.js';
import { readTail } from './read-head.js';

/**
 * Opens a zip archive, also if further bytes follow its end, as some programs and servers append, or if its comment contains
 * what looks like an end. The names of its members are not decoded: {@link memberName} gives them.
 */
export async function openArchive(
  path: string,
  { autoClose = true }: Pick<Options, 'autoClose'> = {},
): Promise<ZipFile> {
  const options = { autoClose, decodeStrings: false };
  try {
    const archive = await openPromise(path, options);
    // None of its comment's making: the end that is taken is the last of the file.
    if (archive.entryCount > 0) return archive;
    archive.close();
  } catch (error) {
    if (systemCode(error) !== undefined) throw error;
  }
  const end = await archiveEnd(path);
  // Without an end that is better, the first attempt counts.
  if (end === undefined) return await openPromise(path, options);
  return await fromRandomAccessReaderPromise(new FileReader(path, end.commentAt), end.sizeBytes, options);
}

/** Reads ranges of a file, for an archive that is shorter than its file; its comment reads as zeros. */
class FileReader extends RandomAccessReader {
  constructor(
    private readonly path: string,
    private readonly commentAt: number,
  ) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const bytes = createReadStream(this.path, { start, end: end - 1 });
    return end <= this.commentAt ? bytes : Readable.from(zeroedFrom(this.commentAt - start, bytes));
  }
}

async function* zeroedFrom(offset: number, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const chunk of chunks) {
    yield chunk.fill(0, Math.min(Math.max(offset - at, 0), chunk.length));
    at += chunk.length;
  }
}

/** The record at the end of an archive, up to its comment: 4.3.16 of PKWARE's APPNOTE. */
const END = { signature: 'PK\u0005\u0006', bytes: 22, directoryBytes: 12, directoryAt: 16, commentBytes: 20 } as const;
/** No comment is longer, and the record is not searched farther from the file's end. */
const MOST_COMMENT_BYTES = 0xffff;
/** In large archives, this lies between another record of the end and the one above, and says where the former is: 4.3.15. */
const LOCATOR = { signature: 'PK\u0006\u0007', bytes: 20 } as const;

/** Where an archive ends within its file, and where the comment begins with which it does. */
interface ArchiveEnd {
  readonly sizeBytes: number;
  readonly commentAt: number;
}

/**
 * The end of the archive at a file's beginning: at the last record of an end that its directory reaches to, with a comment
 * that is no longer than the file. Undefined if there is none.
 */
async function archiveEnd(path: string): Promise<ArchiveEnd | undefined> {
  const { tail, start } = await readTail(path, END.bytes + MOST_COMMENT_BYTES);
  for (let at = tail.length - END.bytes; at >= 0; at--) {
    if (tail.toString('latin1', at, at + 4) !== END.signature) continue;
    const commentAt = at + END.bytes;
    const size = commentAt + tail.readUInt16LE(at + END.commentBytes);
    if (size > tail.length || !directoryReaches(tail, at, start)) continue;
    return { sizeBytes: start + size, commentAt: start + commentAt };
  }
  return undefined;
}

function directoryReaches(tail: Buffer, at: number, start: number): boolean {
  if (tail.readUInt32LE(at + END.directoryAt) + tail.readUInt32LE(at + END.directoryBytes) === start + at) return true;
  const locator = at - LOCATOR.bytes;
  return locator >= 0 && tail.toString('latin1', locator, locator + 4) === LOCATOR.signature;
}

/**
 * A member's path in the archive, as other programs unpack it: without the slashes at its beginning. Throws on one that
 * leads out of the archive.
 */
export function memberName({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false).replace(/^\/+/, '');
  const fault = validateFileName(name);
  if (fault !== null) throw new Error(fault);
  return name;
}
