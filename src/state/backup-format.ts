import { z } from 'zod';
import { COLLECTION_NAME } from './store.js';

const FORMAT_NAME = 'tract-context state backup';
export const BACKUP_FORMAT = `${FORMAT_NAME} 1` as const;
/** How the first line of every backup begins, of whichever version. */
export const BACKUP_BEGINNING = `{"format":"${FORMAT_NAME} `;

/**
 * A backup consists of lines of JSON. The first is the header; then come the files beside the database (keys, which make a
 * backup as secret as they are) and the records; the last line holds the number and the SHA-256 of all lines before it.
 */
export const backupHeader = z.object({ format: z.literal(BACKUP_FORMAT), createdAt: z.iso.datetime() });
export type BackupHeader = z.output<typeof backupHeader>;
/** The key of any record. */
export const recordKey = z.array(z.union([z.string().refine((part) => !part.includes('\0')), z.number()]));
export const backupLine = z.union([
  z.strictObject({ file: z.string().regex(/^[a-z0-9][a-z0-9.-]*$/), text: z.string() }),
  z.strictObject({ collection: z.string().regex(COLLECTION_NAME), key: recordKey, value: z.json() }),
]);
export type BackupLine = z.output<typeof backupLine>;
export const backupEnd = z.object({ lines: z.int(), sha256: z.string() });

/** A backup cannot be written or read, or is not a valid one. The message names the file. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
