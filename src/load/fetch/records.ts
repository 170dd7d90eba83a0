import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { replaceFile, syncDirectory } from '../../platform/durable-files.js';
import { hashFile } from './hash-file.js';
import { discardPart } from './part-file.js';
import type { StoreLayout } from './store-layout.js';

const recordSchema = z.strictObject({
  /** Below the output directory. */
  path: z.string().min(1),
  /** The download's id, as in `--sources`, and the file's vintage. */
  download: z.string(),
  vintage: z.string(),
  tractVintage: z.union([z.literal(2010), z.literal(2020)]).optional(),
  /** The URL that it was fetched from, without a key. */
  url: z.string(),
  /** Who publishes the copy; absent for the agency's own file. */
  mirror: z.string().optional(),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  sizeBytes: z.int().nonnegative(),
  /** Trusted on first use, unless the checksum was known beforehand. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The modification time of the file on disk; a file with a different one is hashed before it is trusted. */
  modifiedMs: z.number(),
  /** When the file was fetched, and when the server last confirmed that it is unchanged; ISO 8601. */
  fetchedAt: z.string(),
  checkedAt: z.string(),
});

/** The record of a fetched file. */
export type FetchRecord = Readonly<z.infer<typeof recordSchema>>;

/** A file's record, if there is a readable one. */
export function readRecord(layout: StoreLayout, path: string): FetchRecord | undefined {
  return readRecordFile(layout.record(path));
}

/** All records below an output directory; empty if nothing was fetched there. */
export function listRecords(layout: StoreLayout): FetchRecord[] {
  if (!existsSync(layout.recordsDir)) return [];
  return readdirSync(layout.recordsDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .flatMap((entry) => readRecordFile(join(entry.parentPath, entry.name)) ?? [])
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Stores a file's record, durably, in place of an earlier one. Throws file-system errors. */
export function writeRecord(layout: StoreLayout, record: FetchRecord): void {
  writeDurably(layout.record(record.path), record);
}

/** Deletes a file that another one replaces, with its record: last, because a file without one is never deleted. */
export function removeFetched(layout: StoreLayout, path: string): void {
  rmSync(layout.file(path), { force: true });
  rmSync(layout.record(path), { force: true });
}

/** Whether the file is on disk as it was fetched. If its modification time differs (copied, touched), it is hashed. */
export async function isIntact(layout: StoreLayout, record: FetchRecord): Promise<boolean> {
  const stats = statSync(layout.file(record.path), { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size !== record.sizeBytes) return false;
  if (stats.mtimeMs === record.modifiedMs) return true;
  if ((await hashFile(layout.file(record.path))) !== record.sha256) return false;
  writeRecord(layout, { ...record, modifiedMs: stats.mtimeMs });
  return true;
}

/**
 * Moves a complete part into place. The record is written as pending beforehand and moved into place afterwards, so that
 * {@link finishCommit} can finish after a crash in between.
 */
export function commitPart(layout: StoreLayout, record: FetchRecord): void {
  writeDurably(layout.pendingRecord(record.path), record);
  movePart(layout, record.path);
}

/** Finishes a commit that a crash interrupted; a pending record that matches no complete file is deleted. */
export async function finishCommit(layout: StoreLayout, path: string): Promise<void> {
  const pending = layout.pendingRecord(path);
  const record = readRecordFile(pending);
  if (!record) {
    rmSync(pending, { force: true });
    return;
  }
  const [part, file] = [layout.part(path), layout.file(path)];
  if (existsSync(part) && (await hashFile(part)) === record.sha256) movePart(layout, path);
  else if (!existsSync(part) && existsSync(file) && (await hashFile(file)) === record.sha256) placeRecord(layout, path);
  else rmSync(pending, { force: true });
}

function movePart(layout: StoreLayout, path: string): void {
  const file = layout.file(path);
  mkdirSync(dirname(file), { recursive: true });
  renameSync(layout.part(path), file);
  syncDirectory(dirname(file));
  placeRecord(layout, path);
}

function placeRecord(layout: StoreLayout, path: string): void {
  const target = layout.record(path);
  mkdirSync(dirname(target), { recursive: true });
  renameSync(layout.pendingRecord(path), target);
  syncDirectory(dirname(target));
  discardPart(layout, path);
}

function writeDurably(path: string, record: FetchRecord): void {
  mkdirSync(dirname(path), { recursive: true });
  replaceFile(path, `${JSON.stringify(record, null, 2)}\n`);
}

function readRecordFile(path: string): FetchRecord | undefined {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // There is no valid record: the file is then fetched as if for the first time.
    return undefined;
  }
}
