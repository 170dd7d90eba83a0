import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { killAtExit, removeAtExit } from '../../lib/at-exit.js';

/** Where Debian's packages install each version's programs, and its extensions. */
const PROGRAMS = '/usr/lib/postgresql';
const EXTENSIONS = '/usr/share/postgresql';
/** PostgreSQL refuses to run as root, so root runs it as this user, which Debian's packages create. */
const SYSTEM_USER = 'postgres';
const START_TIMEOUT_MS = 30_000;

/** Settings for a dedicated machine and read-only data. */
const SETTINGS = [
  // No TCP: the server listens only on a socket in its own directory, which is faster and out of reach for others.
  'listen_addresses=',
  'shared_buffers=1GB',
  'effective_cache_size=4GB',
  'work_mem=64MB',
  'maintenance_work_mem=512MB',
  'random_page_cost=1.1',
  'jit=off',
  // With many concurrent requests, each is best processed by a single process.
  'max_parallel_workers_per_gather=0',
  'fsync=off',
  'synchronous_commit=off',
  'max_wal_size=4GB',
  'autovacuum=off',
];

/** A running PostgreSQL cluster that belongs to the bench. */
export interface Cluster {
  /** The directory of the server's socket. */
  readonly socketDir: string;
  readonly user: string;
  /** A directory from which the server can read files. */
  readonly directory: string;
  stop(): Promise<void>;
}

/** The directory of the programs of the newest PostgreSQL with PostGIS; undefined if there is none. */
export function findPostgres(): string | undefined {
  if (!existsSync(PROGRAMS)) return undefined;
  const versions = readdirSync(PROGRAMS).sort((a, b) => Number(b) - Number(a));
  const complete = versions.find(
    (version) =>
      existsSync(join(PROGRAMS, version, 'bin', 'initdb')) &&
      existsSync(join(EXTENSIONS, version, 'extension', 'postgis.control')),
  );
  return complete === undefined ? undefined : join(PROGRAMS, complete, 'bin');
}

/** Creates an empty cluster in a temporary directory and starts it. */
export async function startCluster(programs: string): Promise<Cluster> {
  const directory = mkdtempSync(join(tmpdir(), 'tract-context-postgres-'));
  removeAtExit(directory);
  const owner = process.getuid?.() === 0 ? systemUser() : undefined;
  if (owner) chownSync(directory, owner.uid, owner.gid);
  const data = join(directory, 'data');
  const user = 'bench';
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', user, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { ...owner, cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const settings = [...SETTINGS, `unix_socket_directories=${directory}`].flatMap((setting) => ['-c', setting]);
  const logFile = join(directory, 'log');
  const log = openSync(logFile, 'a');
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...settings], {
    ...owner,
    cwd: directory,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  // SIGQUIT is an immediate shutdown: the data are discarded anyway.
  killAtExit(server, 'SIGQUIT');
  const exited = once(server, 'exit');
  const stop = async (): Promise<void> => {
    // SIGINT is a fast shutdown, which closes open connections.
    if (server.exitCode === null) server.kill('SIGINT');
    await exited;
    rmSync(directory, { recursive: true, force: true });
  };
  const cluster = { socketDir: directory, user, directory, stop };
  try {
    await accepting(cluster, server);
  } catch (error) {
    const said = readFileSync(logFile, 'utf8');
    await stop();
    throw new Error(`PostgreSQL did not start:\n${said}`, { cause: error });
  }
  return cluster;
}

/** The options with which `pg` connects to the cluster. */
export function connectionOf({ socketDir, user }: Pick<Cluster, 'socketDir' | 'user'>): pg.ClientConfig {
  return { host: socketDir, user, database: 'postgres' };
}

async function accepting(cluster: Cluster, server: ChildProcess): Promise<void> {
  const givesUpAt = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new pg.Client(connectionOf(cluster));
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (server.exitCode !== null || performance.now() > givesUpAt) throw error;
      await delay(100);
    }
  }
}

function systemUser(): { uid: number; gid: number } {
  const id = (flag: string): number => Number(execFileSync('id', [flag, SYSTEM_USER], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
