import type { AdminDeps } from './deps.js';
import { type AdminServer, type AdminServerOptions, listenAdmin } from './server.js';

/** The admin plane of a running service. */
export interface AdminPlane {
  /** Resolves after the first attempt to listen. */
  readonly attempted: Promise<void>;
  /** Lets what is under way finish, up to the timeout. */
  close(timeoutMs: number): Promise<void>;
}

export interface AdminPlaneOptions extends AdminServerOptions {
  readonly onListening: (url: string) => void;
  /** Told at first and then once a minute, not at every new attempt. */
  readonly onUnavailable: (reason: string) => void;
  /** How long to wait before the address is tried again. */
  readonly retryMs?: number;
  /** Milliseconds of a clock that only goes on. */
  readonly now?: () => number;
}

const RETRY_MS = 2000;
const TELL_AGAIN_MS = 60_000;

/**
 * Opens the plane; where its address is taken, tries again and again: those who ask for data do not wait for those who
 * keep it, and a service that is being replaced frees the address soon.
 */
export function openAdminPlane(deps: AdminDeps, options: AdminPlaneOptions): AdminPlane {
  const { onListening, onUnavailable, retryMs = RETRY_MS, now = () => performance.now() } = options;
  let server: AdminServer | undefined;
  let timer: NodeJS.Timeout | undefined;
  let tellAtMs = now();
  let closed = false;

  const attempt = async (): Promise<void> => {
    try {
      server = await listenAdmin(deps, options);
      onListening(server.url);
    } catch (error) {
      if (now() >= tellAtMs) {
        tellAtMs = now() + TELL_AGAIN_MS;
        onUnavailable(error instanceof Error ? error.message : String(error));
      }
      if (!closed) timer = setTimeout(start, retryMs).unref();
    }
  };
  let opening: Promise<void> | undefined;
  const start = (): void => {
    opening = attempt();
  };
  start();
  return {
    attempted: Promise.resolve(opening),
    close: async (timeoutMs) => {
      closed = true;
      clearTimeout(timer);
      await opening;
      await server?.close(timeoutMs);
    },
  };
}
