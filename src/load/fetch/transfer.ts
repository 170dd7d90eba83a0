import { basename } from 'node:path';
import { formatBytes } from '../../core/format-bytes.js';
import { acceptAnswer } from './accept-answer.js';
import { checkContent } from './check-content.js';
import { checkEnd, type EndCheckSetup } from './check-end.js';
import { FetchError } from './fetch-error.js';
import { isDiskFull, RESERVE_BYTES } from './free-space.js';
import type { HttpAnswer, HttpClient } from './http-client.js';
import { type ContentNote, discardPart, openPart, type PartFile } from './part-file.js';
import type { Candidate, PlannedFile } from './plan.js';
import { receive } from './receive.js';
import type { FetchRecord } from './records.js';

/** The dependencies of a transfer. */
export interface TransferSetup extends EndCheckSetup {
  readonly client: HttpClient;
  readonly signal: AbortSignal;
  /** The number of free bytes on the disk. */
  readonly freeBytes: () => number;
  /** Called whenever a file has made progress; `totalBytes` is undefined while the size is unknown. */
  readonly onBytes: (path: string, doneBytes: number, totalBytes: number | undefined) => void;
}

/** What is known about the content that a part now has all of. */
export type WholeContent = Pick<FetchRecord, 'sizeBytes' | 'sha256' | 'etag' | 'lastModified'>;

/** One attempt to bring a file up to date from one of its addresses. */
interface Attempt {
  readonly file: PlannedFile;
  readonly candidate: Candidate;
  /** Of the file that is there already. */
  readonly record: FetchRecord | undefined;
  readonly part: PartFile;
}

/**
 * Makes one attempt at one address: resumes the partial download, if any, else requests the file only if it has changed
 * since `record`, or since a download that has all its bytes but was stopped before they were checked. Resolves with
 * undefined if it is unchanged since `record`. If the transfer breaks off, the next attempt can resume it. Throws
 * `FetchError` and file-system errors.
 */
export async function transfer(
  setup: TransferSetup,
  file: PlannedFile,
  candidate: Candidate,
  record: FetchRecord | undefined,
): Promise<WholeContent | undefined> {
  const { layout, client, signal } = setup;
  const { url, requestUrl, allowedHosts, path } = candidate;
  const part = await openPart(layout, path);
  const attempt = { file, candidate, record, part };
  try {
    const whole = part.wholeFrom(url);
    const headers = requestHeaders(attempt, whole);
    const answer = await client.get({ url: requestUrl, headers, allowedHosts, signal });
    const isUnchanged = answer.status === 304;
    if (isUnchanged) answer.discard();
    const content = isUnchanged ? whole : await download(setup, attempt, answer, 'range' in headers);
    return content && (await examine(setup, attempt, content));
  } finally {
    await part.close();
    // Of an address that has nothing, the part would stay for ever.
    if (part.sizeBytes === 0) discardPart(layout, path);
  }
}

/** Asks for what the part lacks, or for all if it has changed since what is known: the `whole` part, or else the record. */
function requestHeaders(
  { candidate: { url }, record, part }: Attempt,
  whole: ContentNote | undefined,
): Record<string, string> {
  if (whole) return conditionalHeaders(whole);
  const validator = part.resumableFrom(url);
  if (validator !== undefined) return { range: `bytes=${part.sizeBytes}-`, 'if-range': validator };
  // Validators of another URL mean nothing here.
  return record?.url === url ? conditionalHeaders(record) : {};
}

function conditionalHeaders({ etag, lastModified }: ContentNote): Record<string, string> {
  if (etag !== undefined) return { 'if-none-match': etag };
  return lastModified === undefined ? {} : { 'if-modified-since': lastModified };
}

/** Receives a response's body into the part, and returns what is known about the content, all of which is then there. */
async function download(
  setup: TransferSetup,
  { file, candidate, part }: Attempt,
  answer: HttpAnswer,
  resumes: boolean,
): Promise<ContentNote> {
  const { path, url } = candidate;
  const content = await acceptAnswer(answer, part, file, candidate, resumes);
  const { totalBytes } = content;
  checkSpace(setup, path, totalBytes, part.sizeBytes);
  try {
    await receive(answer, part, setup.signal, (doneBytes) => {
      setup.onBytes(path, doneBytes, totalBytes);
      if (totalBytes === undefined) checkReserve(setup, path, doneBytes);
    });
    await part.sync();
  } catch (error) {
    // It would only take space.
    if (part.resumableFrom(url) === undefined) discardPart(setup.layout, path);
    throw isDiskFull(error) ? diskFull(path, totalBytes, part.sizeBytes, error) : error;
  }
  if (totalBytes === undefined || part.sizeBytes === totalBytes) return content;
  // What is cut off can be resumed; what is too long is not the file's.
  if (part.sizeBytes > totalBytes) discardPart(setup.layout, path);
  throw new FetchError('transient', `${part.sizeBytes} bytes arrived, but ${totalBytes} were announced`);
}

function checkSpace(setup: TransferSetup, path: string, totalBytes: number | undefined, thereBytes: number): void {
  const [neededBytes, freeBytes] = [(totalBytes ?? 0) - thereBytes, setup.freeBytes()];
  if (neededBytes <= freeBytes) return;
  const [needed, free] = [neededBytes, freeBytes].map(formatBytes);
  throw new FetchError('space', `${path} needs ${needed}, but only ${free} are free`);
}

/** A body of unknown length may have no end: the disk must not be filled to find out. */
function checkReserve(setup: TransferSetup, path: string, doneBytes: number): void {
  const freeBytes = setup.freeBytes();
  if (freeBytes >= RESERVE_BYTES) return;
  const [done, free] = [doneBytes, freeBytes].map(formatBytes);
  throw new FetchError('space', `${path} comes without a length; after ${done} of it, only ${free} are free`);
}

/** The error for a write that found no space: other programs write to the disk, too. */
function diskFull(path: string, totalBytes: number | undefined, doneBytes: number, cause: unknown): FetchError {
  const what =
    totalBytes === undefined
      ? `comes without a length; after ${formatBytes(doneBytes)} of it,`
      : `needs another ${formatBytes(totalBytes - doneBytes)}, but`;
  return new FetchError('space', `${path} ${what} the disk is full`, { cause });
}

/** Checks a completed download. */
async function examine(
  setup: TransferSetup,
  { file, candidate: { path }, record, part: { sizeBytes } }: Attempt,
  { totalBytes, etag, lastModified, contentType }: ContentNote,
): Promise<WholeContent> {
  const { layout, signal } = setup;
  const name = basename(path);
  try {
    const sha256 = await checkContent(layout.part(path), name, file.sha256[name], contentType, signal);
    if (totalBytes === undefined && sha256 !== record?.sha256) await checkEnd(setup, path);
    return { sizeBytes, sha256, etag, lastModified };
  } catch (error) {
    if (signal.aborted) throw new FetchError('stopped', 'stopped', { cause: error });
    // A download resumed from this part would be damaged, too.
    if (error instanceof FetchError) discardPart(layout, path);
    throw error;
  }
}
