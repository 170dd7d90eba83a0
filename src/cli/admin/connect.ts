import { once } from 'node:events';
import { connect as openSocket } from 'node:net';
import { userInfo } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { TRPCClientError } from '@trpc/client';
import { type AdminClient, createAdminClient } from '../../admin/client.js';
import { adminTokenPath, readAdminToken } from '../../admin/token.js';
import type { Config } from '../../config.js';
import { isLoopback } from '../../core/loopback.js';
import { systemCode } from '../../core/system-code.js';
import { CliError } from '../cli-error.js';
import { readCommandSettings } from '../command-settings.js';
import { DEMO_STATE_DIR } from '../demo-directories.js';
import { tellingOfInterrupt } from './interrupt.js';

/** Options of every command that calls the admin plane. */
export const CONNECTION_OPTIONS = { 'admin-url': { type: 'string' }, 'state-dir': { type: 'string' } } as const;

/** The help for these options; `width` is the column width of the option names. */
export function connectionUsage(width: number): string {
  return [
    `  ${'--admin-url <url>'.padEnd(width)}URL of the admin plane (ADMIN_URL; http://127.0.0.1:8001)`,
    `  ${'--state-dir <dir>'.padEnd(width)}directory with its token file, unless ADMIN_TOKEN is set
  ${''.padEnd(width)}(STATE_DIR; state, or ${DEMO_STATE_DIR} for npm start)`,
  ].join('\n');
}

export interface ConnectionValues {
  readonly 'admin-url'?: string | undefined;
  readonly 'state-dir'?: string | undefined;
}

/** The settings needed to reach the plane; the TLS private key is the service's alone. */
const KEYS = ['adminUrl', 'adminHost', 'adminPort', 'adminToken', 'adminTlsCert', 'adminAllowPlaintext'] as const;

/** The plane's address and token settings. */
export interface ConnectionConfig extends Pick<Config, (typeof KEYS)[number]> {
  /** The state directories that may hold the token: those of `serve` and of `start`, or the one that was given. */
  readonly stateDirs: readonly string[];
}

/** How long a command waits for a service that has just been started, even on a busy machine with several processes. */
const START_MS = 5000;
const RETRY_DELAY_MS = 50;

/**
 * Waits until something listens at the admin plane's address, but no longer than a service takes to start. Does not wait for
 * a plane given by `ADMIN_URL`, which is not expected to be starting right now.
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
  // `timeout` only emits an event; without the destroy, a host that drops packets would block this for minutes.
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

/** The token is there, but only for other users. */
export class DeniedTokenError extends CliError {
  constructor(path: string) {
    super(`no permission to read the admin token, ${path}: run this as the service’s user, or set ADMIN_TOKEN`, 1);
  }
}

/** A connection to the admin plane. */
export interface Connection {
  readonly url: string;
  /** The source of the token: a variable, or files. */
  readonly tokenFrom: string;
  /** Makes the call, with each token in turn until one is accepted. Rejects with the call's error. */
  ask<T>(call: (client: AdminClient) => Promise<T>): Promise<T>;
}

/** Finds the plane's URL and tokens. Throws `CliError` if there is no token, {@link DeniedTokenError} if it must not be read. */
export function connect(config: ConnectionConfig): Connection {
  const { adminToken, stateDirs } = config;
  const url = config.adminUrl || localUrl(config);
  const { tokens, denied } = adminToken ? { tokens: [adminToken], denied: [] } : tokensIn(stateDirs);
  const [first, ...others] = tokens;
  if (first === undefined) throw new CliError(noToken(stateDirs), 1);
  return {
    url,
    tokenFrom: adminToken ? 'ADMIN_TOKEN' : namesOf(stateDirs.map(adminTokenPath), denied),
    ask: (call) =>
      tellingOfInterrupt(async (onChange) => {
        const clientWith = (token: string): AdminClient => createAdminClient({ url, token, onChange, ...localUser() });
        let client = clientWith(first);
        for (const token of others) {
          try {
            return await call(client);
          } catch (error) {
            // A refused call has changed nothing, so it can be repeated with the next token.
            if (!isRefused(error)) throw error;
            client = clientWith(token);
          }
        }
        return await call(client);
      }),
  };
}

/** Whether the plane has refused a token. */
function isRefused(error: unknown): boolean {
  return error instanceof TRPCClientError && error.data?.code === 'UNAUTHORIZED';
}

/** Reads the connection settings from flags and environment. Throws `CliError`. */
export function readConnection(values: ConnectionValues): ConnectionConfig {
  const flags = { adminUrl: values['admin-url'], stateDir: values['state-dir'] };
  const { stateDir, ...config } = readCommandSettings([...KEYS, 'stateDir'], { flags });
  refusePlaintext(config);
  const ofStart = readCommandSettings([...KEYS, 'stateDir'], { flags, defaults: { stateDir: DEMO_STATE_DIR } });
  return { ...config, stateDirs: [...new Set([stateDir, ofStart.stateDir])] };
}

/** Refuses to send the token in plain text to another machine, unless an explicit URL or setting asks for it. */
function refusePlaintext(config: Omit<ConnectionConfig, 'stateDirs'>): void {
  const { adminUrl, adminHost, adminTlsCert, adminAllowPlaintext } = config;
  if (adminUrl !== '' || adminTlsCert !== '' || adminAllowPlaintext || isLoopback(localHost(adminHost))) return;
  const host = JSON.stringify(adminHost);
  throw new CliError(
    `ADMIN_HOST is ${host}, another machine, and TLS is off: set ADMIN_TLS_CERT, ADMIN_ALLOW_PLAINTEXT=true or ADMIN_URL`,
    2,
  );
}

/** A wildcard address is reachable at loopback, too. */
const localHost = (host: string): string => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host);

function localUrl({ adminHost, adminPort, adminTlsCert }: ConnectionConfig): string {
  const host = localHost(adminHost);
  return `${adminTlsCert === '' ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${adminPort}`;
}

/** The files that tokens were read from, and those that the service may rather have, but this user may not read. */
function namesOf(paths: readonly string[], denied: readonly string[]): string {
  const read = paths.filter((path) => !denied.includes(path)).join(' or ');
  return denied.length === 0 ? read : `${read} (no permission to read ${denied.join(' and ')})`;
}

/**
 * The tokens in those directories whose token file can be read, and the paths of those that must not be. Throws
 * DeniedTokenError if there are such only.
 */
function tokensIn(directories: readonly string[]): { readonly tokens: string[]; readonly denied: string[] } {
  const denied: string[] = [];
  const tokens = directories.flatMap((directory) => {
    try {
      return [readAdminToken(directory)];
    } catch (error) {
      if (systemCode(error) === 'EACCES') denied.push(adminTokenPath(directory));
      return [];
    }
  });
  if (tokens.length === 0 && denied[0] !== undefined) throw new DeniedTokenError(denied[0]);
  return { tokens, denied };
}

function noToken(directories: readonly string[]): string {
  const paths = directories.map(adminTokenPath).join(' and ');
  return `no admin token found (${paths} cannot be read): set ADMIN_TOKEN, or set STATE_DIR to the service’s state directory`;
}

/** The user's name for the audit log. On some systems the current user has no name. */
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
