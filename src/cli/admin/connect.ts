import { once } from 'node:events';
import { connect as openSocket } from 'node:net';
import { userInfo } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { TRPCClientError } from '@trpc/client';
import { type AdminClient, createAdminClient } from '../../admin/client.js';
import { adminTokenPath, readAdminToken } from '../../admin/token.js';
import type { Config } from '../../config.js';
import { isLoopback } from '../../core/loopback.js';
import { CliError } from '../cli-error.js';
import { readCommandSettings } from '../command-settings.js';
import { DEMO_STATE_DIR } from '../demo-directories.js';

/** Options of every command that asks the admin plane. */
export const CONNECTION_OPTIONS = { 'admin-url': { type: 'string' }, 'state-dir': { type: 'string' } } as const;

/** What they mean, for a list of options whose explanations begin so far behind their names. */
export function connectionUsage(width: number): string {
  return [
    `  ${'--admin-url <url>'.padEnd(width)}where the admin plane is (ADMIN_URL; http://127.0.0.1:8001)`,
    `  ${'--state-dir <dir>'.padEnd(width)}where its token file is, unless ADMIN_TOKEN is set (STATE_DIR; state, else
  ${''.padEnd(width)}that of start, ${DEMO_STATE_DIR})`,
  ].join('\n');
}

export interface ConnectionValues {
  readonly 'admin-url'?: string | undefined;
  readonly 'state-dir'?: string | undefined;
}

/** What the plane is found by. Its private key is the service's affair. */
const KEYS = [
  'adminUrl',
  'adminHost',
  'adminPort',
  'adminToken',
  'adminTlsCert',
  'adminAllowPlaintext',
  'stateDir',
] as const;

/** Where the plane is and what opens it. */
export type ConnectionConfig = Pick<Config, (typeof KEYS)[number]>;

/** How long a command waits for a service that was started a moment ago, on a busy machine and in several processes. */
const START_MS = 5000;
const RETRY_DELAY_MS = 50;

/**
 * Waits until something listens where the admin plane is to be, and no longer than a start takes. One that `ADMIN_URL`
 * names is not started beside this command: it is there or not.
 */
export async function waitForPlane(config: ConnectionConfig): Promise<void> {
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

/** A command's admin plane. */
export interface Connection {
  readonly url: string;
  /** Where the token is from: a variable, or files. */
  readonly tokenFrom: string;
  /** Asks with the service's token. Rejects with what the call does. */
  ask<T>(call: (client: AdminClient) => Promise<T>): Promise<T>;
}

/** Finds it. Throws `CliError` where there is no token. */
export function connect(config: ConnectionConfig, values: ConnectionValues): Connection {
  const url = config.adminUrl || localUrl(config);
  const [first, ...others] = config.adminToken ? [config.adminToken] : tokensIn(stateDirs(values));
  if (first === undefined) throw new CliError(noToken(stateDirs(values)), 1);
  const clientWith = (token: string): AdminClient => createAdminClient({ url, token, ...localUser() });
  return {
    url,
    tokenFrom: config.adminToken ? 'ADMIN_TOKEN' : stateDirs(values).map(adminTokenPath).join(' or '),
    ask: async (call) => {
      let client = clientWith(first);
      for (const token of others) {
        try {
          return await call(client);
        } catch (error) {
          // Whoever is not let in has changed nothing.
          if (!isRefused(error)) throw error;
          client = clientWith(token);
        }
      }
      return await call(client);
    },
  };
}

/** Whether the plane has refused a token. */
function isRefused(error: unknown): boolean {
  return error instanceof TRPCClientError && error.data?.code === 'UNAUTHORIZED';
}

/** Where the plane is, by flags and environment. Throws `CliError`. */
export function readConnection(values: ConnectionValues): ConnectionConfig {
  const config = readWith(values, {});
  refusePlaintext(config);
  return config;
}

/** Nobody is to overhear the token. What a URL says is meant. */
function refusePlaintext({ adminUrl, adminHost, adminTlsCert, adminAllowPlaintext }: ConnectionConfig): void {
  if (adminUrl !== '' || adminTlsCert !== '' || adminAllowPlaintext || isLoopback(localHost(adminHost))) return;
  const host = JSON.stringify(adminHost);
  throw new CliError(
    `ADMIN_HOST is ${host}, another machine: set ADMIN_TLS_CERT, ADMIN_ALLOW_PLAINTEXT=true or ADMIN_URL`,
    2,
  );
}

/** Where the token may be of the service that runs: of `serve`, or of `start`, unless a directory is named. */
function stateDirs(values: ConnectionValues): string[] {
  return [...new Set([readWith(values, {}).stateDir, readWith(values, { stateDir: DEMO_STATE_DIR }).stateDir])];
}

function readWith(values: ConnectionValues, defaults: { readonly stateDir?: string }): ConnectionConfig {
  const flags = { adminUrl: values['admin-url'], stateDir: values['state-dir'] };
  return readCommandSettings(KEYS, { flags, defaults });
}

/** What stands for all addresses of this machine has its own, too. */
const localHost = (host: string): string => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host);

function localUrl({ adminHost, adminPort, adminTlsCert }: ConnectionConfig): string {
  const host = localHost(adminHost);
  return `${adminTlsCert === '' ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${adminPort}`;
}

/** Those that can be read. */
function tokensIn(directories: readonly string[]): string[] {
  return directories.flatMap((directory) => {
    try {
      return [readAdminToken(directory)];
    } catch {
      return [];
    }
  });
}

function noToken(directories: readonly string[]): string {
  const paths = directories.map(adminTokenPath).join(' and ');
  return `there is no token: set ADMIN_TOKEN, or name the service’s STATE_DIR (${paths} cannot be read)`;
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
