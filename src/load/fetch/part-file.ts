import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../platform/durable-files.js';
import type { StoreLayout } from './store-layout.js';

/** What says that two answers are of one and the same content. */
export interface Validators {
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/** What an answer's head says of the content that it is of, or a part of. */
export interface ContentNote extends Validators {
  /** Of all of it; undefined where the server does not say. */
  readonly totalBytes: number | undefined;
}

const noteSchema = z.strictObject({
  url: z.string(),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  /** Of the whole file, as far as the server has said. */
  totalBytes: z.int().nonnegative().optional(),
  /** So many bytes are on disk for good; what lies behind them may have been lost with the power. */
  syncedBytes: z.int().nonnegative(),
});

/** So much may have to be fetched again after a crash. */
const SYNC_EVERY_BYTES = 8 * 1024 * 1024;

/** A file while it comes: it grows at its end, and says where it can be gone on with. */
export interface PartFile {
  /** How much there is. */
  readonly sizeBytes: number;
  /** For `If-Range`: undefined where the part cannot be gone on with, from this address. */
  resumableFrom(url: string): string | undefined;
  /** Begins anew with what the server now has. */
  restart(url: string, content: ContentNote): Promise<void>;
  /**
   * Notes what the server says of the content that it goes on with, and gives what is known of it altogether; undefined
   * where it is another content than the part's.
   */
  goOn(content: ContentNote): ContentNote | undefined;
  append(chunk: Buffer): Promise<void>;
  /** Makes all of it durable, so that it can be gone on with. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Opens what there is of a file, or an empty part. Only what was made durable is kept. */
export async function openPart(layout: StoreLayout, path: string): Promise<PartFile> {
  const [partPath, notePath] = [layout.part(path), layout.partNote(path)];
  mkdirSync(dirname(partPath), { recursive: true });
  let note = readNote(notePath);
  const handle = await openOrCreate(partPath);
  let sizeBytes = Math.min(note?.syncedBytes ?? 0, (await handle.stat()).size);
  await handle.truncate(sizeBytes);
  let sinceSyncBytes = 0;

  const sync = async (): Promise<void> => {
    if (!note) return;
    await handle.datasync();
    sinceSyncBytes = 0;
    note = { ...note, syncedBytes: sizeBytes };
    replaceFile(notePath, JSON.stringify(note));
  };
  return {
    get sizeBytes() {
      return sizeBytes;
    },
    resumableFrom: (url) => (sizeBytes > 0 && note?.url === url ? rangeValidator(note) : undefined),
    restart: async (url, { etag, lastModified, totalBytes }) => {
      sizeBytes = 0;
      await handle.truncate(0);
      note = {
        url,
        ...(etag && { etag }),
        ...(lastModified && { lastModified }),
        ...(totalBytes !== undefined && { totalBytes }),
        syncedBytes: 0,
      };
      await sync();
    },
    goOn: (content) => {
      if (!note || !isSameContent(note, content)) return undefined;
      const { etag, lastModified, totalBytes = content.totalBytes } = note;
      if (totalBytes !== undefined) note = { ...note, totalBytes };
      return { etag: content.etag ?? etag, lastModified: content.lastModified ?? lastModified, totalBytes };
    },
    append: async (chunk) => {
      for (let written = 0; written < chunk.byteLength; ) {
        written += (await handle.write(chunk, written, chunk.byteLength - written, sizeBytes + written)).bytesWritten;
      }
      sizeBytes += chunk.byteLength;
      sinceSyncBytes += chunk.byteLength;
      if (sinceSyncBytes >= SYNC_EVERY_BYTES) await sync();
    },
    sync,
    close: () => handle.close(),
  };
}

/** Forgets what there is of a file. */
export function discardPart(layout: StoreLayout, path: string): void {
  for (const file of [layout.partNote(path), layout.part(path)]) rmSync(file, { force: true });
}

/** A weak ETag does not promise the same bytes (RFC 9110, 13.1.5). */
function rangeValidator({ etag, lastModified }: z.infer<typeof noteSchema>): string | undefined {
  return etag !== undefined && !etag.startsWith('W/') ? etag : lastModified;
}

/** By the ETag, else by the date, where both have one; and by the length. What only one of them tells decides nothing. */
function isSameContent(note: z.infer<typeof noteSchema>, content: ContentNote): boolean {
  const differs = (known: string | number | undefined, said: string | number | undefined): boolean =>
    known !== undefined && said !== undefined && known !== said;
  if (differs(note.totalBytes, content.totalBytes)) return false;
  if (note.etag !== undefined && content.etag !== undefined) return note.etag === content.etag;
  return !differs(note.lastModified, content.lastModified);
}

function readNote(path: string): z.infer<typeof noteSchema> | undefined {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // None yet, or cut off by a crash: the part is then begun anew.
    return undefined;
  }
}

async function openOrCreate(path: string): Promise<FileHandle> {
  // 'a' would write at the end whatever position is given, 'r+' wants the file to be there.
  await (await open(path, 'a')).close();
  return open(path, 'r+');
}
