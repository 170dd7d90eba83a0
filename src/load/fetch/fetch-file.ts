import { statSync } from 'node:fs';
import { FetchError, isOfOneFile } from './fetch-error.js';
import { sizeOf } from './free-space.js';
import { discardPart } from './part-file.js';
import type { Candidate, PlannedFile } from './plan.js';
import { commitPart, type FetchRecord, finishCommit, isIntact, readRecord, writeRecord } from './records.js';
import { type RetrySetup, retryInLane } from './retry-in-lane.js';
import { type TransferSetup, transfer, type WholeContent } from './transfer.js';

export interface FetchFileSetup extends TransferSetup, RetrySetup {
  readonly now: () => Date;
}

/** The outcome of fetching a file. */
export interface FetchedFile {
  readonly outcome: 'new' | 'updated' | 'unchanged';
  readonly record: FetchRecord;
}

/**
 * Brings a file up to date from the first of its addresses that has it. Throws `FetchError` if none has; the message then
 * says what each address answered.
 */
export async function fetchFile(setup: FetchFileSetup, file: PlannedFile): Promise<FetchedFile> {
  const said: string[] = [];
  let last: FetchError | undefined;
  for (const candidate of file.candidates) {
    try {
      return await fetchCandidate(setup, file, candidate);
    } catch (error) {
      if (!isOfOneFile(error)) throw error;
      last = error;
      said.push(`${candidate.url}: ${error.message}`);
    }
  }
  const more = [file.takenDown, `See ${file.pages.join(', ')}`].filter((text) => text !== undefined);
  throw new FetchError(last?.failure ?? 'missing', [...said, ...more].join('\n  '), { cause: last });
}

async function fetchCandidate(setup: FetchFileSetup, file: PlannedFile, candidate: Candidate): Promise<FetchedFile> {
  const { layout, signal } = setup;
  const { path } = candidate;
  await finishCommit(layout, path);
  const { host } = new URL(candidate.requestUrl);
  return retryInLane(setup, {
    name: path,
    host,
    attempt: async () => {
      if (signal.aborted) throw new FetchError('stopped', 'stopped');
      // In the lane, because it may hash the file: thousands of files at a time would take gigabytes of memory.
      const known = readRecord(layout, path);
      const record = known && (await isIntact(layout, known)) ? known : undefined;
      return settle(setup, file, candidate, record, await transfer(setup, file, candidate, record));
    },
    progressBytes: () => sizeOf(layout.part(path)),
  });
}

/** Moves the downloaded content into place and records it. */
function settle(
  { layout, now, onNote }: FetchFileSetup,
  file: PlannedFile,
  { url, path, mirror }: Candidate,
  before: FetchRecord | undefined,
  content: WholeContent | undefined,
): FetchedFile {
  const checkedAt = now().toISOString();
  if (!content) {
    if (!before)
      throw new FetchError('transient', 'the server answered 304 (not modified) to an unconditional request');
    discardPart(layout, path);
    const record = { ...before, checkedAt };
    writeRecord(layout, record);
    return { outcome: 'unchanged', record };
  }
  const source = {
    path,
    download: file.download,
    vintage: file.vintage,
    tractVintage: file.tractVintage,
    url,
    mirror,
  };
  if (before && before.sha256 === content.sha256) {
    discardPart(layout, path);
    const { modifiedMs, fetchedAt } = before;
    const record = { ...source, ...content, modifiedMs, fetchedAt, checkedAt };
    writeRecord(layout, record);
    return { outcome: 'unchanged', record };
  }
  const { mtimeMs: modifiedMs } = statSync(layout.part(path));
  const record = { ...source, ...content, modifiedMs, fetchedAt: checkedAt, checkedAt };
  commitPart(layout, record);
  if (before) onNote(`${path}: its content changed (SHA-256 ${before.sha256} before, ${content.sha256} now)`);
  return { outcome: before ? 'updated' : 'new', record };
}
