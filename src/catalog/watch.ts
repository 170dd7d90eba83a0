import { readCurrent } from './generations.js';

export interface WatchOptions {
  readonly datasetsDir: string;
  /** Called once for each name that `CURRENT` gets. Must not throw. */
  readonly reload: () => Promise<void>;
  readonly pollMs?: number;
}

const POLL_MS = 1000;

/**
 * Calls for a reload whenever another generation is published. It reads the few bytes of `CURRENT` now and then, since
 * notifications of file systems get lost on network mounts. Gives what ends it.
 */
export function watchPublished({ datasetsDir, reload, pollMs = POLL_MS }: WatchOptions): () => void {
  let seen = readable(datasetsDir);
  let reloading = false;
  const look = async (): Promise<void> => {
    const published = readable(datasetsDir);
    if (published === undefined || published === seen || reloading) return;
    seen = published;
    reloading = true;
    await reload();
    reloading = false;
  };
  const timer = setInterval(look, pollMs).unref();
  return () => clearInterval(timer);
}

/** A `CURRENT` that cannot be read just now is looked at again. */
function readable(datasetsDir: string): string | undefined {
  try {
    return readCurrent(datasetsDir);
  } catch {
    return undefined;
  }
}
