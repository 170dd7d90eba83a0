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
  /** What `--sources` calls it, and its vintage. */
  download: z.string(),
  vintage: z.string(),
  tractVintage: z.union([z.literal(2010), z.literal(2020)]).optional(),
  /** Where it came from, without any key. */
  url: z.string(),
  /** Whose copy it is, where it is not the agency's own. */
  mirror: z.string().optional(),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  sizeBytes: z.int().nonnegative(),
  /** On first use, unless it was known beforehand. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Of the file on disk; a file with another is looked at before it is trusted. */
  modifiedMs: z.number(),
  /** When it was fetched, and when the server last said that it is still the same; ISO 8601. */
  fetchedAt: z.string(),
  checkedAt: z.string(),
});

/** What is known of a fetched file. */
export type FetchRecord = Readonly<z.infer<typeof recordSchema>>;

/** The record of a file, if there is one that can be read. */
export function readRecord(layout: StoreLayout, path: string): FetchRecord | undefined {
  return readRecordFile(layout.record(path));
}

/** All records below an output directory; none where nothing was fetched there. */
export function listRecords(layout: StoreLayout): FetchRecord[] {
  if (!existsSync(layout.recordsDir)) return [];
  return readdirSync(layout.recordsDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .flatMap((entry) => readRecordFile(join(entry.parentPath, entry.name)) ?? [])
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

export function writeRecord(layout: StoreLayout, record: FetchRecord): void {
  writeDurably(layout.record(record.path), record);
}

/** Takes a file away that another has taken the place of. */
export function removeFetched(layout: StoreLayout, path: string): void {
  rmSync(layout.record(path), { force: true });
  rmSync(layout.file(path), { force: true });
}

/** Whether the file is there as it was fetched. One that was copied or touched is read to see. */
export async function isIntact(layout: StoreLayout, record: FetchRecord): Promise<boolean> {
  const stats = statSync(layout.file(record.path), { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size !== record.sizeBytes) return false;
  if (stats.mtimeMs === record.modifiedMs) return true;
  if ((await hashFile(layout.file(record.path))) !== record.sha256) return false;
  writeRecord(layout, { ...record, modifiedMs: stats.mtimeMs });
  return true;
}

/**
 * Puts a part that is whole into its place. The record is written before and takes its own place after, so that a crash
 * in between leaves enough to finish by; see {@link finishCommit}.
 */
export function commitPart(layout: StoreLayout, record: FetchRecord): void {
  writeDurably(layout.pendingRecord(record.path), record);
  movePart(layout, record.path);
}

/** Finishes what a crash interrupted; what cannot be told to be whole is forgotten. */
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
    // There is none, or it is no record: the file is then fetched as if for the first time.
    return undefined;
  }
}
