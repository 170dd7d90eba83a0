import type { Progress } from '../progress.js';
import type { PlannedFile } from './plan.js';

/** One bar for many files: how many are done, and how many of all bytes. */
export interface FetchProgress {
  /** More files are wanted. */
  plan(files: readonly PlannedFile[]): void;
  /** How far a file is. */
  bytes(path: string, doneBytes: number, totalBytes: number | undefined): void;
  /** A file is done, whatever became of it; `path` is the one that it came to. */
  done(file: PlannedFile, path: string | undefined): void;
}

const REDRAW_MS = 100;

export function createFetchProgress(progress: Progress, nowMs: () => number): FetchProgress {
  /** By place on disk; the sizes are guesses until the server says them. */
  const files = new Map<string, { doneBytes: number; totalBytes: number }>();
  let doneFiles = 0;
  let plannedFiles = 0;
  let drawnAtMs = 0;
  const sum = (of: 'doneBytes' | 'totalBytes'): number => [...files.values()].reduce((all, file) => all + file[of], 0);
  const draw = (): void => {
    const isLast = doneFiles === plannedFiles;
    if (!isLast && nowMs() - drawnAtMs < REDRAW_MS) return;
    drawnAtMs = nowMs();
    // A bar that is full says that all is done: what is guessed too low must not fill it.
    const totalBytes = sum('totalBytes');
    const done = isLast ? totalBytes : Math.min(sum('doneBytes'), totalBytes * 0.999);
    progress.step(`fetching, ${doneFiles} of ${plannedFiles} files`, done, totalBytes);
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
      doneFiles++;
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
