import { basename } from 'node:path';
import { checkContent } from './check-content.js';
import { cutOffAlone, cutOffBeside, cutOffRows } from './cut-off.js';
import { FetchError } from './fetch-error.js';
import type { HttpAnswer, HttpClient } from './http-client.js';
import { type ContentNote, discardPart, openPart, type PartFile, type Validators } from './part-file.js';
import type { Candidate, PlannedFile } from './plan.js';
import { receive } from './receive.js';
import type { FetchRecord } from './records.js';
import type { StoreLayout } from './store-layout.js';

/** The dependencies of a transfer. */
export interface TransferSetup {
  readonly layout: StoreLayout;
  readonly client: HttpClient;
  readonly signal: AbortSignal;
  /** The number of free bytes on the disk. */
  readonly freeBytes: () => number;
  /** Called whenever a file has made progress; `totalBytes` is undefined while the size is unknown. */
  readonly onBytes: (path: string, doneBytes: number, totalBytes: number | undefined) => void;
  /** Shows the user a message while the fetch runs. */
  readonly onNote: (note: string) => void;
}

/** A successful transfer: the file is unchanged on the server, or the part now has all of it. */
export type Transferred =
  | { readonly kind: 'unchanged' }
  | ({ readonly kind: 'whole'; readonly sizeBytes: number; readonly sha256: string } & Pick<
      FetchRecord,
      'etag' | 'lastModified'
    >);

/**
 * Makes one attempt at one address: resumes the partial download, if any, else requests the file only if it has changed
 * since `record`, or since a download that has all its bytes but was stopped before they were checked. If the transfer
 * breaks off, the next attempt can resume it. Throws `FetchError` and file-system errors.
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
    const whole = part.wholeFrom(candidate.url);
    const validator = whole ? undefined : part.resumableFrom(candidate.url);
    const known = whole ? { ...whole, url: candidate.url } : record;
    const headers = validator ? resumeHeaders(part, validator) : conditionalHeaders(known, candidate);
    const answer = await client.get({
      url: candidate.requestUrl,
      headers,
      allowedHosts: candidate.allowedHosts,
      signal,
    });
    if (answer.status === 304) {
      answer.discard();
      if (whole) return await examine(setup, file, candidate, { ...whole, sizeBytes: part.sizeBytes }, record);
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
      throw new FetchError('transient', `${part.sizeBytes} bytes arrived, but ${totalBytes} were announced`);
    }
    return await examine(setup, file, candidate, { ...content, sizeBytes: part.sizeBytes }, record);
  } finally {
    await part.close();
    // Of an address that has nothing, the part would stay for ever.
    if (part.sizeBytes === 0) discardPart(layout, candidate.path);
  }
}

const resumeHeaders = (part: PartFile, validator: string): Record<string, string> => ({
  range: `bytes=${part.sizeBytes}-`,
  'if-range': validator,
});

/** Makes the request conditional, if what is known is of the same URL: validators of another one mean nothing here. */
function conditionalHeaders(
  known: (Partial<Validators> & { readonly url: string }) | undefined,
  { url }: Candidate,
): Record<string, string> {
  if (known?.url !== url) return {};
  if (known.etag !== undefined) return { 'if-none-match': known.etag };
  return known.lastModified === undefined ? {} : { 'if-modified-since': known.lastModified };
}

/**
 * Prepares the part for the response's body and returns what is known about the content. A server may resume with another
 * version than the part's, although `If-Range` forbids it: a mix of two versions would be taken for data.
 */
async function placeAnswer(
  answer: HttpAnswer,
  part: PartFile,
  { url }: Candidate,
  resumes: boolean,
): Promise<ContentNote> {
  const said = {
    etag: answer.header('etag'),
    lastModified: answer.header('last-modified'),
    contentType: answer.header('content-type'),
  };
  if (answer.status === 200) {
    const length = answer.header('content-length');
    const content = { ...said, totalBytes: length === undefined ? undefined : Number(length) };
    await part.restart(url, content);
    return content;
  }
  const range = resumes ? rangeOf(answer) : undefined;
  const fits = range?.start === part.sizeBytes;
  const content = fits ? part.goOn({ ...said, totalBytes: range.totalBytes }) : undefined;
  if (content) return content;
  // The part cannot be continued with the server's content: the next attempt begins anew.
  answer.discard();
  await part.restart(url, { etag: undefined, lastModified: undefined, totalBytes: undefined, contentType: undefined });
  throw new FetchError(
    'transient',
    fits
      ? 'the file on the server has changed since the download was interrupted'
      : 'the server could not resume the download',
  );
}

/** The start of a partial response, and the whole's length if the server tells it; undefined for other responses. */
function rangeOf(answer: HttpAnswer): { readonly start: number; readonly totalBytes: number | undefined } | undefined {
  if (answer.status !== 206) return undefined;
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(answer.header('content-range') ?? '') ?? [];
  if (start === undefined) return undefined;
  return { start: Number(start), totalBytes: total === '*' ? undefined : Number(total) };
}

/** Refuses compressed responses: lengths, ranges and checksums would refer to other bytes than the file's. */
function checkEncoding(answer: HttpAnswer): void {
  const encoding = answer.header('content-encoding') ?? 'identity';
  if (encoding === 'identity') return;
  answer.discard();
  throw new FetchError('refused', `the server sent it with encoding ${encoding} although none was requested`);
}

/** Checks that a rolling address still serves the wanted release, which the file name in the response tells. */
function checkRelease(answer: HttpAnswer, { releaseYear, download, vintage }: PlannedFile): void {
  const [, year] = /(20\d\d)[ _-]*release/i.exec(answer.header('content-disposition') ?? '') ?? [];
  if (releaseYear === undefined || year === undefined || Number(year) === releaseYear) return;
  answer.discard();
  throw new FetchError(
    'moved',
    `its address now has the release of ${year}: in datasets/sources.json, add that vintage of ${download}, ` +
      `and change the address of ${vintage}`,
  );
}

function checkSpace({ freeBytes }: TransferSetup, totalBytes: number | undefined, thereBytes: number): void {
  const neededBytes = (totalBytes ?? 0) - thereBytes;
  if (neededBytes > freeBytes())
    throw new FetchError('space', `the download needs ${neededBytes} bytes, but fewer are free`);
}

/** A completed download, as the server announced it and as it arrived. */
interface Came extends ContentNote {
  readonly sizeBytes: number;
}

async function examine(
  setup: TransferSetup,
  { sha256: known }: PlannedFile,
  { path }: Candidate,
  { sizeBytes, totalBytes, etag, lastModified, contentType }: Came,
  before: FetchRecord | undefined,
): Promise<Transferred> {
  const { layout } = setup;
  const name = basename(path);
  try {
    const sha256 = await checkContent(layout.part(path), name, known[name], contentType);
    if (totalBytes === undefined && sha256 !== before?.sha256) await checkEnd(setup, path, before !== undefined);
    return { kind: 'whole', sizeBytes, sha256, ...(etag && { etag }), ...(lastModified && { lastModified }) };
  } catch (error) {
    // A download resumed from this part would be damaged, too.
    if (error instanceof FetchError) discardPart(layout, path);
    throw error;
  }
}

/**
 * Refuses a table that looks cut off beside its previous copy, which is kept; of a table without one, only says so. Truncated
 * archives have been detected before.
 */
async function checkEnd({ layout, onNote }: TransferSetup, path: string, hasPrevious: boolean): Promise<void> {
  if (/\.zip$/i.test(path)) return;
  const part = layout.part(path);
  const cutOff = /\.json$/i.test(path) ? await cutOffRows(part) : undefined;
  if (cutOff !== undefined) throw new FetchError('damaged', `${LOOKS_TRUNCATED}: ${cutOff}`);
  const why = hasPrevious ? await cutOffBeside(part, layout.file(path)) : await cutOffAlone(part);
  if (why === undefined) return;
  if (!hasPrevious) return onNote(`${path}: ${LOOKS_TRUNCATED}: ${why}`);
  throw new FetchError(
    'damaged',
    `${LOOKS_TRUNCATED}: ${why}. To accept it, delete ${layout.file(path)} and fetch again`,
  );
}

const LOOKS_TRUNCATED = 'the download came without a length and looks truncated';
