import type { Progress } from '../progress.js';
import type { PlannedFile } from './plan.js';

/** One progress bar for many files: it shows how many files were fetched, and the share of all bytes. */
export interface FetchProgress {
  /** Adds files to the total. */
  plan(files: readonly PlannedFile[]): void;
  /** Reports a file's progress. */
  bytes(path: string, doneBytes: number, totalBytes: number | undefined): void;
  /** Reports that a file is finished, successfully or not; `path` is the path it was saved to, if it was. */
  done(file: PlannedFile, path: string | undefined): void;
}

const REDRAW_MS = 100;

export function createFetchProgress(progress: Progress, nowMs: () => number): FetchProgress {
  /** By path; a file's size is an estimate until the server announces it. */
  const files = new Map<string, { doneBytes: number; totalBytes: number }>();
  let fetchedFiles = 0;
  let failedFiles = 0;
  let plannedFiles = 0;
  let drawnAtMs = 0;
  const sum = (of: 'doneBytes' | 'totalBytes'): number => [...files.values()].reduce((all, file) => all + file[of], 0);
  const draw = (): void => {
    const isLast = fetchedFiles + failedFiles === plannedFiles;
    if (!isLast && nowMs() - drawnAtMs < REDRAW_MS) return;
    drawnAtMs = nowMs();
    const stage = `${fetchedFiles} of ${plannedFiles} files`;
    if (isLast && failedFiles > 0) {
      // Not as a step, which would say that it is done.
      progress.line(`fetching ended with ${stage}`);
      return;
    }
    // A full bar means that all is done, so sizes that were estimated too low must not fill it.
    const totalBytes = sum('totalBytes');
    const done = isLast ? totalBytes : Math.min(sum('doneBytes'), totalBytes * 0.999);
    progress.step(`fetching, ${stage}`, done, totalBytes);
  };
  return {
    plan: (more) => {
      plannedFiles += more.length;
      for (const { candidates, sizeBytes } of more) {
        files.set(candidates[0].path, { doneBytes: 0, totalBytes: sizeBytes });
      }
    },
    bytes: (path, doneBytes, totalBytes) => {
      const guess = files.get(path)?.totalBytes ?? 0;
      files.set(path, { doneBytes, totalBytes: totalBytes ?? Math.max(guess, doneBytes) });
      draw();
    },
    done: (file, path) => {
      if (path === undefined) failedFiles++;
      else fetchedFiles++;
      for (const candidate of file.candidates) {
        const known = files.get(candidate.path);
        if (!known) continue;
        if (candidate.path === path) files.set(path, { ...known, doneBytes: known.totalBytes });
        else files.delete(candidate.path);
      }
      draw();
    },
  };
}
