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

const noteSchema = z.strictObject({
  url: z.string(),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
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
  restart(url: string, validators: Validators): Promise<void>;
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
    restart: async (url, { etag, lastModified }) => {
      sizeBytes = 0;
      await handle.truncate(0);
      note = { url, ...(etag && { etag }), ...(lastModified && { lastModified }), syncedBytes: 0 };
      await sync();
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
