import { readFileSync } from 'node:fs';
import { type AdminClient, createAdminClient } from '../../src/admin/client.js';
import { runHere } from './run-here.js';
import { type ServiceProcess, startService } from './service-process.js';

/** A running service, with a client for its admin plane and the program's commands on it. */
export interface AdministeredService extends ServiceProcess {
  readonly admin: AdminClient;
  readonly adminUrl: string;
  /** Runs one of the program's commands on this service, in the process of the tests. */
  command(...args: string[]): ReturnType<typeof runHere>;
  /** The status of a request with this key over a new connection, so that any of the service's processes may take it. */
  statusOf(key: string, path?: string): Promise<number>;
}

export async function startAdministered(
  datasetsDir: string,
  env: Record<string, string> = {},
): Promise<AdministeredService> {
  return await administer(await startService(datasetsDir, env));
}

/** Connects to the admin plane of a running service, which it finds through the log, as users do. */
export async function administer(service: ServiceProcess): Promise<AdministeredService> {
  const { url: adminUrl, token_file: tokenFile } = await service.logLine({ event: 'admin-listening' });
  const token = readFileSync(String(tokenFile), 'utf8').trim();
  const env = { ADMIN_URL: String(adminUrl), ADMIN_TOKEN: token };
  return {
    ...service,
    adminUrl: String(adminUrl),
    admin: createAdminClient({ url: String(adminUrl), token }),
    command: (...args) => runHere(args, env),
    statusOf: async (key, path = '/v1/dictionary') => {
      const headers = { 'X-API-Key': key, connection: 'close' };
      const response = await fetch(service.url + path, { headers });
      await response.arrayBuffer();
      return response.status;
    },
  };
}
