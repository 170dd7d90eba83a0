import { rmSync, statSync, writeFileSync } from 'node:fs';
import { fileSystemReason } from '../../platform/file-system-error.js';

/** A report could not be written; nothing was published. */
export class ReportError extends Error {
  override readonly name = 'ReportError';
}

/** Writes a report as JSON. Throws `ReportError` naming the file: it may be on another disk than the output directory. */
export function writeReport(path: string, report: object): void {
  try {
    writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    const reason = fileSystemReason(error);
    if (reason === undefined) throw error;
    removeCutOff(path);
    throw new ReportError(`--report: ${path} cannot be written: ${reason}`, { cause: error });
  }
}

/** Removes what a full disk left of a report, as far as that can be done; a pipe or a terminal stays. */
function removeCutOff(path: string): void {
  try {
    if (statSync(path).isFile()) rmSync(path);
  } catch {}
}
