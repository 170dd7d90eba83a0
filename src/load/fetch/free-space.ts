import { existsSync, statfsSync, statSync } from 'node:fs';
import { formatBytes } from '../../core/format-bytes.js';
import { systemCode } from '../../core/system-code.js';
import { FetchSetupError } from './fetch-error.js';
import type { PlannedFile } from './plan.js';
import { readRecord } from './records.js';
import type { StoreLayout } from './store-layout.js';

/** The number of bytes on a directory's disk that are free to unprivileged users. */
export function freeBytesOf(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/** Space that a fetch leaves free for other programs. */
export const RESERVE_BYTES = 64 * 1024 * 1024;

/** An estimate of the bytes still to be downloaded. Files that are there count as unchanged, and so as nothing. */
function missingBytes(layout: StoreLayout, files: readonly PlannedFile[]): number {
  return files.reduce((sum, { candidates, sizeBytes }) => {
    if (candidates.some(({ path }) => existsSync(layout.file(path)) && readRecord(layout, path))) return sum;
    const thereBytes = Math.max(...candidates.map(({ path }) => sizeOf(layout.part(path))));
    return sum + Math.max(0, sizeBytes - thereBytes);
  }, 0);
}

/** Throws `FetchSetupError` if there is not enough space for what is still to be downloaded. */
export function checkFreeSpace(layout: StoreLayout, files: readonly PlannedFile[], freeBytes: number): void {
  const neededBytes = missingBytes(layout, files);
  if (neededBytes === 0 || neededBytes + RESERVE_BYTES <= freeBytes) return;
  throw new FetchSetupError(
    `${layout.outputDir}: the download needs about ${formatBytes(neededBytes)}, but only ${formatBytes(freeBytes)} are free. ` +
      'Choose fewer --sources or --states, or another disk',
  );
}

/** Whether an error of the file system says that there is no more space. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? '');
}

/** The size of a file in bytes; 0 if there is none. */
export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
