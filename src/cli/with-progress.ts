import { createProgress, type Progress, type ProgressStream } from '../load/progress.js';

/** Does work that tells its progress on stderr. Where it fails, its bar goes, or the error would stand on the same line. */
export async function withProgress<T>(
  work: (progress: Progress) => Promise<T>,
  stream: ProgressStream = process.stderr,
): Promise<T> {
  const progress = createProgress(stream);
  try {
    return await work(progress);
  } finally {
    progress.clear();
  }
}
