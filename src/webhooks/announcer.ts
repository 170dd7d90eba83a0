import { type AnnounceDependencies, type Announcement, announceGeneration } from './announce.js';

/** Sees to it that every generation that goes live is announced, also where the state cannot be written to at first. */
export interface Announcer {
  /** Resolves when it was tried to announce what is live at the start: who subscribes later is not told of that. */
  readonly started: Promise<void>;
  /** Another generation is live. Never rejects. */
  reloaded(generation: string): Promise<void>;
  stop(): Promise<void>;
}

export interface AnnouncerOptions extends AnnounceDependencies {
  /** What is live; asked until something is. */
  readonly live: () => Promise<string | undefined>;
  readonly onAnnounced: (announcement: Announcement) => void;
  readonly onError: (error: unknown) => void;
  readonly retryMs?: number;
}

const RETRY_MS = 500;

export function startAnnouncer(options: AnnouncerOptions): Announcer {
  const { state, owners, now, live, onAnnounced, onError, retryMs = RETRY_MS } = options;
  /** The newest that is not announced yet; null while nobody has said what is live. */
  let wanted: string | null | undefined = null;
  /** Whether a maintainer or a signal took `wanted` live: the audit log has it with them. */
  let asked = false;
  let failing = false;
  let stopped = false;
  let working: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const work = async (): Promise<void> => {
    try {
      const found = wanted === null ? await live() : undefined;
      // It may have been told of a reload meanwhile, whose generation is newer than this one.
      if (wanted === null && found !== undefined) wanted = found;
      while (typeof wanted === 'string') {
        const generation: string = wanted;
        const announcement = await announceGeneration({ state, owners, now }, generation, { unasked: !asked });
        if (wanted === generation) wanted = undefined;
        if (announcement) onAnnounced(announcement);
      }
      failing = false;
    } catch (error) {
      if (!failing) onError(error);
      failing = true;
    }
  };
  const start = (): Promise<void> => {
    working ??= work().finally(() => {
      working = undefined;
      if (wanted !== undefined && !stopped) timer = setTimeout(() => void start(), retryMs).unref();
    });
    return working;
  };
  return {
    started: start(),
    reloaded: async (generation) => {
      wanted = generation;
      asked = true;
      clearTimeout(timer);
      // The first may be about to end, having seen nothing of this.
      await working;
      if (wanted !== undefined) await start();
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await working;
    },
  };
}
