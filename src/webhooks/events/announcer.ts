import { tellingFirstFailure } from '../../core/first-failure.js';
import { type AnnounceDependencies, type Announcement, announceGeneration } from './announce.js';

/** Announces each generation that goes live, and retries while the state cannot be written to. */
export interface Announcer {
  /** Resolves after the first attempt to announce the initial generation; later subscribers get no events for it. */
  readonly started: Promise<void>;
  /** Announces a generation that has just gone live. Never rejects. */
  reloaded(generation: string): Promise<void>;
  stop(): Promise<void>;
}

export interface AnnouncerOptions extends AnnounceDependencies {
  /** The live generation; asked repeatedly until there is one. */
  readonly live: () => Promise<string | undefined>;
  readonly onAnnounced: (announcement: Announcement) => void;
  readonly onError: (error: unknown) => void;
  readonly retryMs?: number;
}

const RETRY_MS = 500;

export function startAnnouncer(options: AnnouncerOptions): Announcer {
  const { state, owners, now, live, onAnnounced, onError, retryMs = RETRY_MS } = options;
  /** The newest generation that is not announced yet; null while the live generation is unknown. */
  let wanted: string | null | undefined = null;
  /** Whether `wanted` went live through a reload, a rollback or the watch, which the audit log already records. */
  let asked = false;
  let stopped = false;
  let working: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const work = tellingFirstFailure(async () => {
    const found = wanted === null ? await live() : undefined;
    // A reload may have set `wanted` meanwhile; its generation is newer than the one found here.
    if (wanted === null && found !== undefined) wanted = found;
    while (typeof wanted === 'string') {
      const generation: string = wanted;
      const announcement = await announceGeneration({ state, owners, now }, generation, { unasked: !asked });
      if (wanted === generation) wanted = undefined;
      if (announcement) onAnnounced(announcement);
    }
  }, onError);
  const start = (): Promise<void> => {
    clearTimeout(timer);
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
      // Work in progress may be about to end without having seen the new `wanted`.
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
