import { basename } from 'node:path';
import { checkContent } from './check-content.js';
import { cutOffBeside } from './cut-off.js';
import { FetchError } from './fetch-error.js';
import type { HttpAnswer, HttpClient } from './http-client.js';
import { type ContentNote, discardPart, openPart, type PartFile } from './part-file.js';
import type { Candidate, PlannedFile } from './plan.js';
import { receive } from './receive.js';
import type { FetchRecord } from './records.js';
import type { StoreLayout } from './store-layout.js';

/** What a transfer works with. */
export interface TransferSetup {
  readonly layout: StoreLayout;
  readonly client: HttpClient;
  readonly signal: AbortSignal;
  /** Bytes that are free on the disk. */
  readonly freeBytes: () => number;
  /** How far a file is, whenever that changes; `totalBytes` as soon as the server says it. */
  readonly onBytes: (path: string, doneBytes: number, totalBytes: number | undefined) => void;
}

/** What the server said: the file is the same as before, or all of it is in the part now. */
export type Transferred =
  | { readonly kind: 'unchanged' }
  | ({ readonly kind: 'whole'; readonly sizeBytes: number; readonly sha256: string } & Pick<
      FetchRecord,
      'etag' | 'lastModified'
    >);

/**
 * One attempt at one address: goes on with what there is of the file, or asks only for what changed since `record`. What
 * came before it fails is kept for the next attempt. Throws `FetchError`, and what the file system throws.
 */
export async function transfer(
  setup: TransferSetup,
  file: PlannedFile,
  candidate: Candidate,
  record: FetchRecord | undefined,
): Promise<Transferred> {
  const { layout, client, signal } = setup;
  const part = await openPart(layout, candidate.path);
  try {
    const validator = part.resumableFrom(candidate.url);
    const headers = validator ? resumeHeaders(part, validator) : conditionalHeaders(record, candidate);
    const answer = await client.get({
      url: candidate.requestUrl,
      headers,
      allowedHosts: candidate.allowedHosts,
      signal,
    });
    if (answer.status === 304) {
      answer.discard();
      return { kind: 'unchanged' };
    }
    checkEncoding(answer);
    checkRelease(answer, file);
    const content = await placeAnswer(answer, part, candidate, validator !== undefined);
    const { totalBytes } = content;
    checkSpace(setup, totalBytes, part.sizeBytes);
    await receive(answer, part, signal, (doneBytes) => setup.onBytes(candidate.path, doneBytes, totalBytes));
    await part.sync();
    if (totalBytes !== undefined && part.sizeBytes !== totalBytes) {
      discardPart(layout, candidate.path);
      throw new FetchError('transient', `${part.sizeBytes} bytes came where ${totalBytes} were announced`);
    }
    const came = { ...content, sizeBytes: part.sizeBytes, contentType: answer.header('content-type') };
    return await examine(layout, file, candidate, came, record);
  } finally {
    await part.close();
  }
}

const resumeHeaders = (part: PartFile, validator: string): Record<string, string> => ({
  range: `bytes=${part.sizeBytes}-`,
  'if-range': validator,
});

/** Another address's validators say nothing of this one. */
function conditionalHeaders(record: FetchRecord | undefined, { url }: Candidate): Record<string, string> {
  if (record?.url !== url) return {};
  if (record.etag !== undefined) return { 'if-none-match': record.etag };
  return record.lastModified === undefined ? {} : { 'if-modified-since': record.lastModified };
}

/**
 * Where the answer goes in the part; gives what is known of the content now. A server may go on with another content than
 * the part is of, though `If-Range` asked it not to: two versions in one file would be taken for data.
 */
async function placeAnswer(
  answer: HttpAnswer,
  part: PartFile,
  { url }: Candidate,
  resumes: boolean,
): Promise<ContentNote> {
  const validators = { etag: answer.header('etag'), lastModified: answer.header('last-modified') };
  if (answer.status === 200) {
    const length = answer.header('content-length');
    const content = { ...validators, totalBytes: length === undefined ? undefined : Number(length) };
    await part.restart(url, content);
    return content;
  }
  const range = resumes ? rangeOf(answer) : undefined;
  const fits = range?.start === part.sizeBytes;
  const content = fits ? part.goOn({ ...validators, totalBytes: range.totalBytes }) : undefined;
  if (content) return content;
  // The part is no beginning of what the server has: the next attempt begins anew.
  answer.discard();
  await part.restart(url, { etag: undefined, lastModified: undefined, totalBytes: undefined });
  throw new FetchError(
    'transient',
    fits
      ? 'the server has another version of it than the one whose download stopped'
      : 'the server could not go on where the download stopped',
  );
}

/** Where a part begins in the whole, and how long that is where the server says it; undefined where it is no part. */
function rangeOf(answer: HttpAnswer): { readonly start: number; readonly totalBytes: number | undefined } | undefined {
  if (answer.status !== 206) return undefined;
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(answer.header('content-range') ?? '') ?? [];
  if (start === undefined) return undefined;
  return { start: Number(start), totalBytes: total === '*' ? undefined : Number(total) };
}

/** What is asked for as it is must come as it is: lengths, ranges and checksums are of other bytes else. */
function checkEncoding(answer: HttpAnswer): void {
  const encoding = answer.header('content-encoding') ?? 'identity';
  if (encoding === 'identity') return;
  answer.discard();
  throw new FetchError('refused', `the server sends it in ${encoding}, though it was asked for as it is`);
}

/** An address that holds whatever release is the newest tells in the name that it gives the file. */
function checkRelease(answer: HttpAnswer, { releaseYear, download, vintage }: PlannedFile): void {
  const [, year] = /(20\d\d)[ _-]*release/i.exec(answer.header('content-disposition') ?? '') ?? [];
  if (releaseYear === undefined || year === undefined || Number(year) === releaseYear) return;
  answer.discard();
  throw new FetchError(
    'moved',
    `its address now has the release of ${year}: give datasets/sources.json that vintage of ${download}, ` +
      `and ${vintage}’s own address`,
  );
}

function checkSpace({ freeBytes }: TransferSetup, totalBytes: number | undefined, thereBytes: number): void {
  const neededBytes = (totalBytes ?? 0) - thereBytes;
  if (neededBytes > freeBytes()) throw new FetchError('space', `${neededBytes} bytes are to come, and fewer are free`);
}

/** What came, as the server announced it and as it is. */
interface Came extends ContentNote {
  readonly sizeBytes: number;
  readonly contentType: string | undefined;
}

async function examine(
  layout: StoreLayout,
  { sha256: known }: PlannedFile,
  { path }: Candidate,
  { sizeBytes, totalBytes, etag, lastModified, contentType }: Came,
  before: FetchRecord | undefined,
): Promise<Transferred> {
  const name = basename(path);
  try {
    const sha256 = await checkContent(layout.part(path), name, known[name], contentType);
    if (before && totalBytes === undefined && sha256 !== before.sha256) await checkEnd(layout, path);
    return { kind: 'whole', sizeBytes, sha256, ...(etag && { etag }), ...(lastModified && { lastModified }) };
  } catch (error) {
    // Going on with it would bring the same damage.
    if (error instanceof FetchError) discardPart(layout, path);
    throw error;
  }
}

/** An archive that is cut off has told so. There is a copy from before, and it is kept. */
async function checkEnd(layout: StoreLayout, path: string): Promise<void> {
  if (/\.zip$/i.test(path)) return;
  const why = await cutOffBeside(layout.part(path), layout.file(path));
  if (why === undefined) return;
  throw new FetchError(
    'damaged',
    `what came, without its length, looks cut off: ${why}. Delete ${layout.file(path)} and fetch again to take it all the same`,
  );
}
