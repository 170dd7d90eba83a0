import { messageOf } from '../core/message-of.js';
import type { AdminDeps } from './deps.js';
import { type AdminCertificate, type AdminServer, type AdminServerOptions, listenAdmin } from './server.js';

/** The admin plane of a running service. */
export interface AdminPlane {
  /** Resolves after the first attempt to listen. */
  readonly attempted: Promise<void>;
  /** {@link AdminServer.takeCertificate}, also if the plane listens only later. */
  takeCertificate(certificate: AdminCertificate): void;
  /** Lets requests in flight finish, up to the timeout. */
  close(timeoutMs: number): Promise<void>;
}

export interface AdminPlaneOptions extends AdminServerOptions {
  readonly onListening: (url: string) => void;
  /** Called at the first failure and then once a minute at most, not for each attempt. */
  readonly onUnavailable: (reason: string) => void;
  /** The wait before each further attempt to listen. */
  readonly retryMs?: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

const RETRY_MS = 2000;
const TELL_AGAIN_MS = 60_000;

/**
 * Opens the plane. If its address is taken, it keeps trying: the public API must not wait for the admin plane, and a service
 * that is being replaced soon frees the address.
 */
export function openAdminPlane(deps: AdminDeps, options: AdminPlaneOptions): AdminPlane {
  const { onListening, onUnavailable, retryMs = RETRY_MS, now = () => performance.now() } = options;
  let server: AdminServer | undefined;
  let renewed: AdminCertificate | undefined;
  let timer: NodeJS.Timeout | undefined;
  let tellAtMs = now();
  let closed = false;

  const attempt = async (): Promise<void> => {
    try {
      server = await listenAdmin(deps, options);
      if (renewed) server.takeCertificate(renewed);
      onListening(server.url);
    } catch (error) {
      if (now() >= tellAtMs) {
        tellAtMs = now() + TELL_AGAIN_MS;
        onUnavailable(messageOf(error));
      }
      if (closed) return;
      timer = setTimeout(() => {
        opening = attempt();
      }, retryMs).unref();
    }
  };
  const attempted = attempt();
  let opening = attempted;
  return {
    attempted,
    takeCertificate: (certificate) => {
      renewed = certificate;
      server?.takeCertificate(certificate);
    },
    close: async (timeoutMs) => {
      closed = true;
      clearTimeout(timer);
      await opening;
      await server?.close(timeoutMs);
    },
  };
}
