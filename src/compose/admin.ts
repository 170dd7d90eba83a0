import { type AdminPlane, type AdminPlaneOptions, openAdminPlane } from '../admin/plane.js';
import type { AdminEvents } from '../admin/server.js';
import { adminTokenPath, loadAdminToken } from '../admin/token.js';
import { boundAudit } from '../audit/bound-audit.js';
import { type Config, configEntries } from '../config.js';
import { createKeyRegistry } from '../keys/key-registry.js';
import type { KeyUsage } from '../keys/key-usage.js';
import { configuredKeyIds } from '../keys/keyring.js';
import { describeError, type Logger, type LogOutput } from '../log.js';
import { packageVersion } from '../platform/package-root.js';
import { describeSetting } from '../settings/settings.js';
import type { StateStore } from '../state/store.js';
import type { WebhookAdmin } from '../webhooks/admin/webhook-admin.js';
import { type CertificateEvents, followCertificate, readCertificate } from './admin-certificate.js';
import type { Datasets } from './datasets.js';
import { loggingRefusals } from './reload-outcomes.js';

/** The parts of a running service, in one process or several, that its admin plane works on. */
export interface Administered {
  readonly state: StateStore;
  readonly usage: KeyUsage;
  /** Makes a change of an issued key effective at once. */
  readonly keysChanged: () => Promise<void>;
  readonly datasets: Pick<Datasets, 'admin'>;
  /** The contents of /metrics, as JSON; undefined if no process answers. */
  readonly metrics: () => Promise<Readonly<Record<string, unknown>> | undefined>;
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
  const certificate = config.adminTlsCert === '' ? undefined : readCertificate(config);
  const plane = openAdminPlane(
    {
      ...parts,
      datasets: loggingRefusals(parts.datasets.admin, logger),
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
      ...(certificate && { tls: certificate }),
      hostNames: [host, ...adminAllowedHosts],
      events: planeEvents(logger),
      ...listeningEvents(logger, adminToken ? undefined : adminTokenPath(state.directory)),
    },
  );
  await plane.attempted;
  const stopFollowing = certificate && followCertificate(config, certificate, certificateEvents(plane, logger));
  const stopBounding = boundAudit({
    state,
    maxEntries: config.auditMaxEntries,
    onError: (error) => logger.error(describeError(error), 'old audit log entries could not be removed'),
  });
  return {
    close: async (timeoutMs) => {
      stopFollowing?.();
      await Promise.all([plane.close(timeoutMs), stopBounding()]);
    },
  };
}

function planeEvents(logger: Logger): AdminEvents {
  return {
    refused: (status, address) =>
      logger.warn({ event: 'admin-refused', status, address }, 'a request to the admin plane was refused'),
    failed: (procedure, error) => logger.error({ procedure, ...describeError(error) }, 'unexpected error'),
    diskFull: (procedure, reason) =>
      logger.error({ event: 'state-disk-full', procedure, reason }, 'a change was refused: the disk is full'),
  };
}

/** `tokenFile` is undefined if a setting gives the token. */
function listeningEvents(
  logger: Logger,
  tokenFile: string | undefined,
): Pick<AdminPlaneOptions, 'onListening' | 'onUnavailable'> {
  return {
    onListening: (url) =>
      logger.info(
        { event: 'admin-listening', url, ...(tokenFile && { token_file: tokenFile }) },
        'the admin plane is listening',
      ),
    onUnavailable: (reason) =>
      logger.error({ event: 'admin-unavailable', reason }, 'the admin plane cannot listen; retrying'),
  };
}

function certificateEvents(plane: Pick<AdminPlane, 'takeCertificate'>, logger: Logger): CertificateEvents {
  return {
    renewed: (certificate, expires) => {
      plane.takeCertificate(certificate);
      logger.info({ event: 'admin-certificate-renewed', expires }, 'the admin plane has another certificate');
    },
    refused: (reason) =>
      logger.error({ event: 'admin-certificate-refused', reason }, 'the admin plane keeps its former certificate'),
    late: ({ isValid, ...times }) => {
      const event = { event: 'admin-certificate-late', ...times };
      if (isValid) logger.warn(event, 'the admin plane’s certificate expires soon');
      else logger.error(event, 'the admin plane’s certificate is not valid now');
    },
  };
}
