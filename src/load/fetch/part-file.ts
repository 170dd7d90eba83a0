import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../platform/durable-files.js';
import type { StoreLayout } from './store-layout.js';

const contentSchema = z.strictObject({
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  /** The size of the whole file, if the server has told it. */
  totalBytes: z.int().nonnegative().optional(),
  contentType: z.string().optional(),
});

/** What a response's headers say about the whole content, even if the response carries only a part of it. */
export type ContentNote = Readonly<z.infer<typeof contentSchema>>;

const noteSchema = contentSchema.extend({
  url: z.string(),
  /** The number of bytes known to be durable; bytes after them may have been lost in a power failure. */
  syncedBytes: z.int().nonnegative(),
});

type PartNote = Readonly<z.infer<typeof noteSchema>>;

/** The most that may have to be downloaded again after a crash. */
const SYNC_EVERY_BYTES = 8 * 1024 * 1024;

/** A partial download: it is appended to, and remembers what is needed to resume it. */
export interface PartFile {
  /** The number of bytes downloaded so far. */
  readonly sizeBytes: number;
  /** What the server called the content, if there is any and it called it something. */
  readonly contentType: string | undefined;
  /** The validator for `If-Range`; undefined if the part cannot be resumed from this URL. */
  resumableFrom(url: string): string | undefined;
  /** What is known of the content, if all of it has come from this URL; undefined if any byte may be missing. */
  wholeFrom(url: string): ContentNote | undefined;
  /** Empties the part, to begin anew with the server's current content. */
  restart(url: string, content: ContentNote): Promise<void>;
  /**
   * Merges what the server says about the content that it resumes with what the part knows, and returns the result;
   * undefined if it is not the part's content.
   */
  goOn(content: ContentNote): ContentNote | undefined;
  append(chunk: Buffer): Promise<void>;
  /** Makes everything written durable, so that the download can be resumed from it. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a file's partial download, or an empty one. Only bytes that were made durable are kept. */
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
    get contentType() {
      return note?.contentType;
    },
    resumableFrom: (url) => (sizeBytes > 0 && note?.url === url ? rangeValidator(note) : undefined),
    wholeFrom: (url) => (sizeBytes > 0 && note?.url === url && sizeBytes === note.totalBytes ? note : undefined),
    restart: async (url, content) => {
      sizeBytes = 0;
      await handle.truncate(0);
      note = { ...content, url, syncedBytes: 0 };
      await sync();
    },
    goOn: (content) => {
      if (!note || !isSameContent(note, content)) return undefined;
      const { etag, lastModified, totalBytes = content.totalBytes, contentType } = note;
      if (totalBytes !== undefined) note = { ...note, totalBytes };
      return {
        etag: content.etag ?? etag,
        lastModified: content.lastModified ?? lastModified,
        totalBytes,
        contentType: content.contentType ?? contentType,
      };
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

/** Deletes a file's partial download. */
export function discardPart(layout: StoreLayout, path: string): void {
  for (const file of [layout.partNote(path), layout.part(path)]) rmSync(file, { force: true });
}

/** The paths of all files in a folder of which there is a partial download, or a remainder of one. */
export function listParts({ partsDir }: StoreLayout, folder: string): string[] {
  const directory = join(partsDir, folder);
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).map((name) => name.replace(/\.note\.json$/, ''));
  return [...new Set(names)].map((name) => `${folder}/${name}`);
}

/** The validator for `If-Range`. A weak ETag does not guarantee identical bytes (RFC 9110, 13.1.5). */
function rangeValidator({ etag, lastModified }: PartNote): string | undefined {
  return etag !== undefined && !etag.startsWith('W/') ? etag : lastModified;
}

/** Compares the lengths, and the ETags or else the dates. A property that only one side has decides nothing. */
function isSameContent(note: PartNote, content: ContentNote): boolean {
  const differs = (known: string | number | undefined, said: string | number | undefined): boolean =>
    known !== undefined && said !== undefined && known !== said;
  if (differs(note.totalBytes, content.totalBytes)) return false;
  if (note.etag !== undefined && content.etag !== undefined) return note.etag === content.etag;
  return !differs(note.lastModified, content.lastModified);
}

function readNote(path: string): PartNote | undefined {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // There is none yet, or a crash cut it off; the download then begins anew.
    return undefined;
  }
}

async function openOrCreate(path: string): Promise<FileHandle> {
  // The flag 'a' would ignore positions and write at the end; 'r+' requires the file to exist.
  await (await open(path, 'a')).close();
  return open(path, 'r+');
}
