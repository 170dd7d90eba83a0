import { once } from 'node:events';
import { connect as openSocket } from 'node:net';
import { userInfo } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { type AdminClient, createAdminClient } from '../../admin/client.js';
import { adminTokenPath, readAdminToken } from '../../admin/token.js';
import { type Config, ConfigError, loadConfig } from '../../config.js';
import { CliError } from '../cli-error.js';

/** Options of every command that asks the admin plane. */
export const CONNECTION_OPTIONS = { 'admin-url': { type: 'string' }, 'state-dir': { type: 'string' } } as const;

/** What they mean, for a list of options whose explanations begin so far behind their names. */
export function connectionUsage(width: number): string {
  return [
    `  ${'--admin-url <url>'.padEnd(width)}where the admin plane is (ADMIN_URL; http://127.0.0.1:8001)`,
    `  ${'--state-dir <dir>'.padEnd(width)}where its token file is, unless ADMIN_TOKEN is set (STATE_DIR; state)`,
  ].join('\n');
}

export interface ConnectionValues {
  readonly 'admin-url'?: string | undefined;
  readonly 'state-dir'?: string | undefined;
}

/** How long a command waits for a service that was started a moment ago, on a busy machine and in several processes. */
const START_MS = 5000;
const RETRY_DELAY_MS = 50;

/**
 * Waits until something listens where the admin plane is to be, and no longer than a start takes. One that `ADMIN_URL` names is
 * not started beside this command: it is there or not.
 */
export async function waitForPlane(config: Config): Promise<void> {
  if (config.adminUrl !== '') return;
  const { hostname, port, protocol } = new URL(localUrl(config));
  const target = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
  const until = performance.now() + START_MS;
  while (!(await isListening(target)) && performance.now() < until) await delay(RETRY_DELAY_MS);
}

async function isListening(target: { readonly host: string; readonly port: number }): Promise<boolean> {
  const socket = openSocket({ ...target, timeout: START_MS });
  // It only tells; without this a host that drops what is sent to it would be waited for for minutes.
  socket.once('timeout', () => socket.destroy(new Error('no connection in time')));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Where a command's admin plane is, and a client for it. Throws `CliError` where there is no token. */
export function connect(config: Config): { client: AdminClient; url: string } {
  const url = config.adminUrl || localUrl(config);
  return { url, client: createAdminClient({ url, token: config.adminToken || tokenOf(config), ...localUser() }) };
}

/** The settings of a command that serves nothing. Throws `CliError`. */
export function readConfig(values: ConnectionValues): Config {
  const argv = (['admin-url', 'state-dir'] as const).flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [`--${name}=${value}`];
  });
  try {
    return loadConfig({ argv }).config;
  } catch (error) {
    throw error instanceof ConfigError ? new CliError(error.message, 2) : error;
  }
}

function localUrl({ adminHost, adminPort, adminTlsCert }: Config): string {
  const host = adminHost === '0.0.0.0' || adminHost === '::' ? '127.0.0.1' : adminHost;
  return `${adminTlsCert === '' ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${adminPort}`;
}

function tokenOf({ stateDir }: Config): string {
  try {
    return readAdminToken(stateDir);
  } catch {
    const path = adminTokenPath(stateDir);
    throw new CliError(
      `there is no token: set ADMIN_TOKEN, or name the service’s STATE_DIR (${path} cannot be read)`,
      1,
    );
  }
}

/** For the audit log. Some systems have no name for whoever runs a program. */
function localUser(): { user?: string } {
  try {
    const name = userInfo()
      .username.replaceAll(/[^\x20-\x7e]/g, '?')
      .slice(0, 64);
    return name === '' ? {} : { user: name };
  } catch {
    return {};
  }
}
