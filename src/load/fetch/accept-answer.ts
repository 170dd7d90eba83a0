import { FetchError } from './fetch-error.js';
import type { HttpAnswer } from './http-client.js';
import { isCalledPage } from './other-content.js';
import type { ContentNote, PartFile } from './part-file.js';
import type { Candidate, PlannedFile } from './plan.js';

/**
 * Prepares the part for the body of a response, and returns what is known about the content. `resumes` says whether only
 * what the part lacks was asked for. If the body must not be taken, drops the connection and throws `FetchError`.
 */
export async function acceptAnswer(
  answer: HttpAnswer,
  part: PartFile,
  file: PlannedFile,
  { url }: Candidate,
  resumes: boolean,
): Promise<ContentNote> {
  checkRelease(answer, file);
  const said = {
    etag: answer.header('etag'),
    lastModified: answer.header('last-modified'),
    contentType: answer.header('content-type'),
  };
  if (answer.status === 200) {
    checkPage(answer, part);
    const length = answer.header('content-length');
    const content = { ...said, totalBytes: length === undefined ? undefined : Number(length) };
    await part.restart(url, content);
    return content;
  }
  const range = resumes ? rangeOf(answer) : undefined;
  // A server may resume with another version than the part's, although `If-Range` forbids it: a mix of the two would be
  // taken for data.
  const fits = range?.start === part.sizeBytes;
  const content = fits ? part.goOn({ ...said, totalBytes: range.totalBytes }) : undefined;
  if (content) return content;
  // The part cannot be continued with the server's content: the next attempt begins anew.
  answer.discard();
  await part.restart(url, {});
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

/** Refuses what a proxy, or a server under maintenance, sends in place of the rest of a file: the part can be resumed. */
function checkPage(answer: HttpAnswer, part: PartFile): void {
  if (part.sizeBytes === 0 || isCalledPage(part.contentType) || !isCalledPage(answer.header('content-type'))) return;
  answer.discard();
  throw new FetchError('damaged', 'the server sent a web page in place of the rest');
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
