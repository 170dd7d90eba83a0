import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { type AdminPlane, openAdminPlane } from '../admin/plane.js';
import { adminTokenPath, loadAdminToken } from '../admin/token.js';
import { boundAudit } from '../audit/bound-audit.js';
import { type Config, configEntries, describeSetting } from '../config.js';
import { messageOf } from '../core/message-of.js';
import { createKeyRegistry } from '../keys/key-registry.js';
import type { KeyUsage } from '../keys/key-usage.js';
import { configuredKeyIds } from '../keys/keyring.js';
import { describeError, type LogOutput } from '../log.js';
import { packageVersion } from '../platform/package-root.js';
import type { StateStore } from '../state/store.js';
import type { WebhookAdmin } from '../webhooks/webhook-admin.js';
import type { Datasets } from './datasets.js';

/** The parts of a running service, in one process or several, that its admin plane works on. */
export interface Administered {
  readonly state: StateStore;
  readonly usage: KeyUsage;
  /** Makes a change of an issued key effective at once. */
  readonly keysChanged: () => Promise<void>;
  readonly datasets: Pick<Datasets, 'admin'>;
  /** The contents of /metrics, as JSON. */
  readonly metrics: () => Promise<Readonly<Record<string, unknown>>>;
}

/**
 * Opens the admin plane of a service that listens already. If the plane's address is taken, the service goes on without it,
 * and the log says so. Throws if the plane's token or certificate cannot be read.
 */
export async function openAdmin(
  config: Config,
  { logger }: LogOutput,
  parts: Administered & { readonly webhooks: WebhookAdmin },
): Promise<Pick<AdminPlane, 'close'>> {
  const { state } = parts;
  const { adminHost: host, adminPort: port, adminToken, adminAllowedHosts } = config;
  const now = (): Date => new Date();
  const configuredKeys = configuredKeyIds(config.apiKeys);
  const plane = openAdminPlane(
    {
      ...parts,
      datasets: parts.datasets.admin,
      version: packageVersion(),
      keys: createKeyRegistry({ state, now, configuredKeys }),
      configuredKeys,
      keysChanged: () =>
        // The change is stored, which is all that must be acknowledged; processes look for it again within a second.
        parts.keysChanged().catch((error: unknown) => logger.error(describeError(error), 'the keys cannot be read')),
      processes: config.processes,
      config: () => configEntries(config),
      now,
    },
    {
      host,
      port,
      settings: { host: describeSetting('adminHost'), port: describeSetting('adminPort') },
      token: adminToken || loadAdminToken(state.directory),
      ...readTls(config),
      hostNames: [host, ...adminAllowedHosts],
      events: {
        refused: (status, address) =>
          logger.warn({ event: 'admin-refused', status, address }, 'a request to the admin plane was refused'),
        failed: (procedure, error) => logger.error({ procedure, ...describeError(error) }, 'unexpected error'),
      },
      onListening: (url) => {
        const tokenFile = adminToken ? {} : { token_file: adminTokenPath(state.directory) };
        logger.info({ event: 'admin-listening', url, ...tokenFile }, 'the admin plane is listening');
      },
      onUnavailable: (reason) =>
        logger.error({ event: 'admin-unavailable', reason }, 'the admin plane cannot listen; retrying'),
    },
  );
  await plane.attempted;
  const stopBounding = boundAudit({
    state,
    maxEntries: config.auditMaxEntries,
    onError: (error) => logger.error(describeError(error), 'old audit log entries could not be removed'),
  });
  return {
    close: async (timeoutMs) => {
      await Promise.all([plane.close(timeoutMs), stopBounding()]);
    },
  };
}

/** Reads certificate and key. Throws an error that names the setting if a file cannot be read or used. */
function readTls({ adminTlsCert, adminTlsKey }: Config) {
  if (adminTlsCert === '') return {};
  const cert = naming(`ADMIN_TLS_CERT, ${adminTlsCert}`, () => readText(adminTlsCert));
  const key = naming(`ADMIN_TLS_KEY, ${adminTlsKey}`, () => readText(adminTlsKey));
  naming(`ADMIN_TLS_CERT, ${adminTlsCert}`, () => createSecureContext({ cert }));
  naming(`ADMIN_TLS_KEY, ${adminTlsKey}`, () => createSecureContext({ cert, key }));
  return { tls: { cert, key } };
}

/** Refuses an empty file: Node would listen without certificate or key, and every handshake would fail. */
function readText(path: string): string {
  const text = readFileSync(path, 'utf8');
  if (text === '') throw new Error('the file is empty');
  return text;
}

/** Prefixes what `read` throws by what it is about. */
function naming<T>(subject: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${subject}: ${messageOf(error)}`, { cause: error });
  }
}
