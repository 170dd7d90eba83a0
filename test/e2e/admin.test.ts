import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAdminClient } from '../../src/admin/client.js';
import { setCurrent } from '../../src/catalog/directory/generations.js';
import { deferred } from '../../src/core/deferred.js';
import { openState } from '../../src/state/open-state.js';
import { welcome } from '../support/admin-client-example.js';
import { ask } from '../support/admin-plane.js';
import { type AdministeredService, administer, startAdministered } from '../support/administered-service.js';
import { selfSignedCertificate } from '../support/certificates.js';
import { runCliInto, runCliWith, runCliWithoutReader } from '../support/cli.js';
import { WITHIN_MS } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { variants } from '../support/rounds.js';
import { runHere } from '../support/run-here.js';
import { runProgram } from '../support/run-program.js';
import { runToEnd, startService } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishedTinyDirectory, publishTinyDataset } from '../support/tiny-dataset.js';

const README = new URL('../../README.md', import.meta.url);
const EXAMPLE = new URL('../support/admin-client-example.ts', import.meta.url);
/** Requests over as many new connections as two processes surely share. */
const SPREAD = 12;
const WAIT = { timeout: WITHIN_MS, interval: 20 };

async function start(datasetsDir: string, env: Record<string, string> = {}): Promise<AdministeredService> {
  const service = await startAdministered(datasetsDir, env);
  onTestFinished(service.kill);
  return service;
}

test('with two processes a key works once it is issued, and is refused everywhere within a second after it is revoked; reloads by signal, by --watch and at start appear in the audit log, once for all processes', async () => {
  const datasetsDir = publishedTinyDirectory();
  const env = { PROCESSES: '2', STATE_DIR: join(temporaryDirectory(), 'state') };
  const [first, second, third, fourth] = [0, 1, 2, 3].map((more) => publishTinyDataset(datasetsDir, more));
  const makeCurrent = (generation = ''): void => setCurrent(datasetsDir, generation);
  const logged = async ({ admin }: AdministeredService, count: number) => {
    const entries = await vi.waitFor(async () => {
      const found = (await admin.system.audit.query()).filter(({ action }) => action.startsWith('datasets.'));
      expect(found.filter(({ outcome }) => outcome === 'done')).toHaveLength(count);
      return found;
    }, WAIT);
    return entries.map(({ action, actor, before, after }) => [action, actor.name, before?.live, after?.live]);
  };
  makeCurrent(first);
  const service = await start(datasetsDir, env);
  makeCurrent(second);
  service.signal('SIGHUP');
  const past = [
    ['datasets.reload', 'signal', first, second],
    ['datasets.open', 'service', undefined, first],
  ];
  expect(await logged(service, 2)).toEqual(past);

  const { id, key } = await service.admin.keys.issue.mutate({ name: 'two processes' });
  const all = () => Promise.all(Array.from({ length: SPREAD }, () => service.statusOf(key)));
  expect(new Set(await all())).toEqual(new Set([200]));
  expect((await service.admin.system.metrics.query()).total_requests).toBeGreaterThanOrEqual(SPREAD);
  await service.admin.keys.revoke.mutate({ id });
  const revokedAtMs = performance.now();
  // When those requests began of which some were still answered: how long they then take is another thing.
  let lastBegunAtMs = revokedAtMs;
  const isRefused = async (): Promise<boolean> => {
    const begunAtMs = performance.now();
    const refused = (await all()).every((status) => status === 403);
    if (!refused) lastBegunAtMs = begunAtMs;
    return refused;
  };
  await vi.waitUntil(isRefused, { ...WAIT, interval: 1 });
  expect(lastBegunAtMs - revokedAtMs).toBeLessThan(1000);

  service.signal('SIGTERM');
  await service.exited;

  makeCurrent(third);
  const next = await start(datasetsDir, { ...env, PROCESSES: '1', WATCH_DATASETS: 'true' });
  makeCurrent(fourth);
  expect(await logged(next, 4)).toEqual([
    ['datasets.reload', 'watch', third, fourth],
    ['datasets.open', 'service', second, third],
    ...past,
  ]);
  expect((await next.command('system', 'audit')).stdout).toMatch(
    / watch .* datasets\.reload .*live: "[0-9a-f]{32}" → /,
  );
});

test('a datasets directory that is not there, and a CURRENT that cannot be read, are named by the log at start and by what maintainers are told', async () => {
  const datasetsDir = join(temporaryDirectory(), 'mistyped');
  const service = await start(datasetsDir);
  await service.logLine({ level: 'warn', directory: datasetsDir });
  const reload = () => service.command('datasets', 'reload');
  const stderr = `tract-context datasets: ${datasetsDir}: no such directory\n`;
  expect(await reload()).toMatchObject({ code: 1, stderr });
  expect(await service.command('datasets', 'list')).toMatchObject({ code: 1, stdout: '', stderr });
  writeFileSync(datasetsDir, '');
  const reason = 'CURRENT cannot be read: a part of its path is not a directory';
  expect(await reload()).toMatchObject({ code: 1, stderr: `tract-context datasets: ${datasetsDir}: ${reason}\n` });

  rmSync(datasetsDir);
  publishTinyDataset(datasetsDir);
  expect(await reload()).toMatchObject({ code: 0 });
  rmSync(join(datasetsDir, 'CURRENT'));
  mkdirSync(join(datasetsDir, 'CURRENT'));
  for (const args of [['current'], ['list'], ['reload'], ['verify'], ['rollback', '--yes'], ['prune', '--yes']]) {
    expect(await service.command('datasets', ...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: `tract-context datasets: ${datasetsDir}: CURRENT cannot be read: it is a directory\n`,
    });
  }
  const next = await start(datasetsDir);
  await next.logLine({
    level: 'error',
    directory: datasetsDir,
    reason: 'CURRENT cannot be read: it is a directory',
  });
  // Clients are not told where datasets are.
  const health = await fetch(`${next.url}/health`);
  expect([health.status, await health.text()]).toEqual([503, expect.not.stringContaining(datasetsDir)]);
});

test('a command that is run while the service starts waits for it', async () => {
  const [stateDir, port] = [temporaryDirectory(), await freePort()];
  const directories = ['--datasets', publishedTinyDirectory(), '--state-dir', stateDir];
  const service = runProgram(['serve', '--port', '0', '--admin-port', String(port), ...directories], {});
  onTestFinished(() => void service.kill('SIGKILL'));
  // It stands still until the command has looked for it, as a busy machine would take longer for the rest of its start.
  await once(service.stdout, 'data');
  service.kill('SIGSTOP');
  const looked = deferred<unknown>();
  subscribe('net.client.socket', looked.resolve);
  onTestFinished(() => void unsubscribe('net.client.socket', looked.resolve));
  const listed = runHere(['keys', 'list', '--json'], { STATE_DIR: stateDir, ADMIN_PORT: String(port) });
  await Promise.race([looked.promise, listed]);
  service.kill('SIGCONT');
  expect(await listed).toMatchObject({ code: 0, stdout: '[]\n' });
});

test('the token is generated once, readable only by its owner; a service that is killed while keys are issued knows every acknowledged key after a restart; ADMIN_TOKEN replaces the token; the plane shows the figures of /metrics and the settings, without a secret', async () => {
  const stateDir = join(temporaryDirectory(), 'state');
  const datasetsDir = publishedTinyDirectory();
  const tokenFile = join(stateDir, 'admin-token');
  const tokens = new Set<string>();
  const acknowledged: { readonly id: string; readonly key: string }[] = [];
  for (const killAfter of variants([11], [3, 23])) {
    const service = await start(datasetsDir, { STATE_DIR: stateDir });
    expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
    tokens.add(readFileSync(tokenFile, 'utf8').trim());
    const target = acknowledged.length + killAfter;
    const issueOn = async (): Promise<void> => {
      for (;;) {
        acknowledged.push(await service.admin.keys.issue.mutate({ name: 'unlucky' }));
        if (acknowledged.length >= target) service.signal('SIGKILL');
      }
    };
    const ends = await Promise.allSettled([1, 2, 3, 4].map(issueOn));
    expect(ends.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    await service.exited;
    for (const token of tokens) expect(service.output()).not.toContain(token);
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(11);
  expect(new Set(acknowledged.map(({ id }) => id)).size).toBe(acknowledged.length);

  const next = await startService(datasetsDir, {
    STATE_DIR: stateDir,
    ADMIN_TOKEN: 'my-own-token',
    RATE_LIMIT_MAX: '17',
    RATE_LIMT_MAX: 'a-slip',
    GEOCODER: 'embedded,census',
    CENSUS_URL: 'http://census.example',
  });
  onTestFinished(next.kill);
  const url = String((await next.logLine({ event: 'admin-listening' })).url);
  const token = readFileSync(tokenFile, 'utf8').trim();
  expect([...tokens]).toEqual([token]);
  expect((await ask(`${url}/keys.list`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
  const admin = createAdminClient({ url, token: 'my-own-token' });
  const listed = new Set((await admin.keys.list.query({})).map(({ id }) => id));
  expect(acknowledged.filter(({ id }) => !listed.has(id))).toEqual([]);

  await next.fetch('/v1/stats');
  const shown = await admin.system.metrics.query();
  const told = await (await fetch(`${next.url}/metrics`)).json();
  expect(told).toEqual({ ...shown, uptime_seconds: expect.any(Number) });
  expect(shown.total_requests).toBe(1);
  const config = await admin.system.config.query();
  expect(config).toContainEqual({ name: 'RATE_LIMIT_MAX', value: '17' });
  expect(JSON.stringify(config)).not.toContain('a-key-for-tests');
  await next.logLine({ event: 'setting-unknown', name: 'RATE_LIMT_MAX', meant: 'RATE_LIMIT_MAX' });
  expect(next.output()).not.toContain('a-slip');
  await next.logLine({ event: 'plaintext-upstream', name: 'CENSUS_URL' });
  expect(next.output()).not.toContain('my-own-token');

  for (const { key } of acknowledged) {
    const headers = { 'X-API-Key': key };
    expect((await next.fetch('/v1/dictionary', { headers })).status).toBe(200);
  }
});

async function makeNewerState(stateDir: string): Promise<void> {
  await (await openState(stateDir, { migrations: Array(8).fill(() => {}) })).close();
}

function makeOpenToken(stateDir: string): void {
  mkdirSync(stateDir);
  writeFileSync(join(stateDir, 'admin-token'), 'ab'.repeat(32), { mode: 0o644 });
}

test.each(
  variants<[string, (stateDir: string) => Promise<void> | void, RegExp]>(
    [['a token file that others can read', makeOpenToken, /set its mode to 0600/]],
    [
      [
        'a state directory of a newer version',
        makeNewerState,
        /STATE_DIR \(--state-dir\): state directory .* has version 9, written by a newer program/,
      ],
    ],
  ),
)('refuses %s, and says why', async (_, make, reason) => {
  const stateDir = join(temporaryDirectory(), 'state');
  await make(stateDir);
  const args = ['serve', '--datasets', publishedTinyDirectory(), '--port', '0'];
  const { code, stdout } = await runToEnd(args, { STATE_DIR: stateDir });
  expect(code).toBe(1);
  expect(stdout).toMatch(reason);
});

test('reports an unusable certificate or key with its setting', async () => {
  const directory = temporaryDirectory();
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  writeFileSync(cert, selfSignedCertificate().cert);
  writeFileSync(key, 'no key');
  const env = { STATE_DIR: join(directory, 'state'), ADMIN_TLS_CERT: cert, ADMIN_TLS_KEY: key };
  const { code, stdout } = await runToEnd(['serve', '--datasets', publishedTinyDirectory(), '--port', '0'], env);
  expect(code).toBe(1);
  expect(stdout).toContain(`ADMIN_TLS_KEY, ${key}: `);
});

test('a backup of a state that cannot be written to says why it has to be, and what to do', async () => {
  const root = temporaryDirectory();
  const stateDir = join(root, 'state');
  await (await openState(stateDir)).close();
  rmSync(join(stateDir, 'in-use.lock'));
  mkdirSync(join(stateDir, 'in-use.lock'));
  const { code, stderr } = await runHere(['backup', '--output', join(root, 'backup')], { STATE_DIR: stateDir });
  expect(code).toBe(1);
  expect(stderr).toContain(`state directory ${stateDir}: cannot be written to (EISDIR`);
  expect(stderr).toContain('run this as the service’s user, and of a read-only snapshot of the disk back up a copy');
});

test('a backup made while the service runs restores the keys; a service serves requests while its admin port is in use, and takes the port once it is free', async () => {
  const root = temporaryDirectory();
  const stateDir = join(root, 'state');
  const datasetsDir = publishedTinyDirectory();
  const service = await start(datasetsDir, { STATE_DIR: stateDir });
  const { key } = await service.admin.keys.issue.mutate({ name: 'kept' });
  const file = join(root, 'backup');
  expect(await runHere(['backup', '--output', file], { STATE_DIR: stateDir })).toMatchObject({ code: 0 });
  const late = await service.admin.keys.issue.mutate({ name: 'after the backup' });
  const inUse = await runHere(['restore', '--input', file, '--yes'], { STATE_DIR: stateDir });
  expect(inUse).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use; stop the service first') });
  service.signal('SIGTERM');
  await service.exited;
  const absent = await runHere(['restore', '--input', `${file}.old`], { STATE_DIR: stateDir });
  expect([absent.code, absent.stderr]).toEqual([1, expect.stringContaining(`backup ${file}.old:`)]);
  const unasked = await runHere(['restore', '--input', file], { STATE_DIR: stateDir });
  expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('Pass --yes') });
  expect(await runHere(['restore', '--input', file, '--yes'], { STATE_DIR: stateDir })).toMatchObject({ code: 0 });

  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const address = holder.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const next = await startService(datasetsDir, { STATE_DIR: stateDir, ADMIN_PORT: String(port) });
  onTestFinished(next.kill);
  await next.logLine({ event: 'admin-unavailable' });
  expect((await next.fetch('/v1/stats')).status).toBe(200);
  await new Promise((resolve) => holder.close(resolve));
  const restored = await administer(next);
  expect(await restored.statusOf(key)).toBe(200);
  expect(await restored.statusOf(late.key)).toBe(403);
  const [entry, ...earlier] = await restored.admin.system.audit.query({});
  expect(entry).toMatchObject({ action: 'state.restore', actor: { name: 'restore' }, outcome: 'done' });
  expect(earlier.map(({ action }) => action)).toEqual(['keys.issue', 'datasets.open']);
});

describe('one service on the only dataset', () => {
  let datasetsDir: string;
  let shared: AdministeredService | undefined;
  const served = (): AdministeredService => {
    if (!shared) throw new Error('the service has been started');
    return shared;
  };

  beforeAll(async () => {
    datasetsDir = mkdtempSync(join(tmpdir(), 'administered-'));
    publishTinyDataset(datasetsDir);
    shared = await startAdministered(datasetsDir);
  });

  afterAll(async () => {
    await shared?.kill();
    rmSync(datasetsDir, { recursive: true });
  });

  test('commands exit with 2 for wrong arguments, with 1 for failures, and explain the error', async () => {
    const { command, url } = served();
    const typed = [
      [['keys'], 0, ''],
      [['keys', 'issue', '--help'], 0, ''],
      [['keys', 'issue', '--name', 'x', '--expires', 'soon'], 2, '--expires: soon'],
      [['datasets', 'rollback', '--yes'], 1, 'no earlier generation'],
      [['datasets', 'verify', 'ab'.repeat(16)], 1, 'there is no generation'],
      [['keys', 'get', '0123456789abcdef'], 1, 'there is no key'],
    ] as const;
    const list = ['keys', 'list'];
    // It waits for a service to start, as long as that takes: the others go on meanwhile.
    const homeless = runToEnd(list, { STATE_DIR: join(temporaryDirectory(), 'none') });
    for (const [args, code, message] of typed) {
      const ended = await command(...args);
      expect({ args, code: ended.code }).toEqual({ args, code });
      expect(ended.stderr).toContain(message);
    }
    const unreachable = await runHere(list, { ADMIN_URL: 'http://127.0.0.1:9', ADMIN_TOKEN: 'some-token' });
    expect(unreachable).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be reached at') });
    const elsewhere = await runHere(list, { ADMIN_URL: url, ADMIN_TOKEN: 'some-token' });
    expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining(`${url} is not an admin plane`) });
    expect(await homeless).toMatchObject({ code: 1, stderr: expect.stringContaining('no admin token found') });
  });

  test('status and datasets are shown to people as text, to scripts in full', async () => {
    const { command } = served();
    const inFull = JSON.parse((await command('datasets', 'current', '--json')).stdout);
    const { generation, tracts } = inFull.live;
    for (const args of [
      ['datasets', 'current'],
      ['system', 'status'],
      ['system', 'metrics'],
      ['datasets', 'list'],
    ] as const) {
      const { code, stdout } = await command(...args);
      expect(code).toBe(0);
      expect(stdout).not.toMatch(/[{}"]/);
    }
    const current = (await command('datasets', 'current')).stdout;
    expect(current).toMatch(
      new RegExp(
        `^live:\n  generation:  ${generation}\n  since:       \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC\n  tracts:      ${tracts}\n`,
      ),
    );
    const status = (await command('system', 'status')).stdout;
    expect(status).toMatch(/^uptime: +(?:\d+ min )?\d+ s$/m);
    expect(status).toContain(`  generation:  ${generation}\n`);
    expect((await command('datasets', 'list')).stdout).toMatch(/ \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC +[\d.]+ [KM]iB /);
    expect(JSON.parse((await command('system', 'status', '--json')).stdout)).toMatchObject({
      uptimeSeconds: expect.any(Number),
      datasets: { live: { generation }, published: generation, previous: null },
    });
  });

  test('a rotated key keeps its subscriptions, and a disabled one is refused until it is enabled', async () => {
    const service = served();
    const { id, key } = await service.admin.keys.issue.mutate({ name: 'subscriber' });
    const json = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ url: 'https://hooks.example.org/tracts', events: ['data.updated'] });
    const created = await service.fetch('/v1/webhooks', {
      method: 'POST',
      headers: { 'X-API-Key': key, ...json },
      body,
    });
    expect(created.status).toBe(201);
    const rotated = await service.admin.keys.rotate.mutate({ id, overlapSeconds: 0 });
    const listed = await service.fetch('/v1/webhooks', { headers: { 'X-API-Key': rotated.key } });
    expect(await listed.json()).toMatchObject({ total: 1 });
    await service.admin.keys.update.mutate({ id, disabled: true });
    expect(await service.statusOf(rotated.key)).toBe(403);
    await service.admin.keys.update.mutate({ id, disabled: false });
    expect(await service.statusOf(rotated.key)).toBe(200);
  });

  test.each([
    ['whose reader is gone', (args: string[]) => runCliWithoutReader('stdout', ...args)],
    ['to a file without room', (args: string[]) => runCliInto(join(temporaryDirectory(), 'key'), 0, ...args)],
  ])('with an output %s, `keys issue` names the key that it issued', async (where, run) => {
    const { admin, adminUrl, logLine } = served();
    const { token_file: tokenFile } = await logLine({ event: 'admin-listening' });
    const connection = ['--admin-url', adminUrl, '--state-dir', dirname(String(tokenFile))];
    const { code, printed } = await run(['keys', 'issue', '--name', 'unseen', '--owner', where, ...connection]);
    const [key] = (await admin.keys.list.query({})).filter(({ owner }) => owner === where);
    expect(code).toBe(1);
    expect(printed).toContain(`the text of key ${key?.id} could not be printed and is lost`);
  });

  test.each(['>&-', '>/dev/null'])('with %s, `keys issue` issues none, as nobody would see it', async (redirection) => {
    const { admin, adminUrl, logLine } = served();
    const { token_file: tokenFile } = await logLine({ event: 'admin-listening' });
    const connection = ['--admin-url', adminUrl, '--state-dir', dirname(String(tokenFile))];
    const { code, printed } = await runCliWith(redirection, 'keys', 'issue', '--name', redirection, ...connection);
    expect({ code, printed }).toEqual({
      code: 2,
      printed: expect.stringContaining('nothing was done: the key would be shown only once, and to nobody'),
    });
    expect((await admin.keys.list.query({})).map(({ name }) => name)).not.toContain(redirection);
  });

  test('keys are listed by owner and by status', async () => {
    const { admin, command } = served();
    const [kept, gone] = [
      await admin.keys.issue.mutate({ name: 'kept', owner: 'Listed' }),
      await admin.keys.issue.mutate({ name: 'gone', owner: 'Listed' }),
    ];
    await admin.keys.revoke.mutate({ id: gone.id });
    const idsOf = async (...options: string[]) =>
      JSON.parse((await command('keys', 'list', '--json', ...options)).stdout).map(({ id }: { id: string }) => id);
    expect((await idsOf('--owner', 'Listed')).sort()).toEqual([kept.id, gone.id].sort());
    expect(await idsOf('--owner', 'Listed', '--status', 'revoked')).toEqual([gone.id]);
    expect(await idsOf('--owner', 'Nobody')).toEqual([]);
  });

  test('the public port does not expose the admin plane, nor the admin plane the public API', async () => {
    const service = served();
    for (const path of ['/keys.list', '/system.status', '/datasets.list?batch=1', '/trpc/keys.list']) {
      expect((await service.fetch(path)).status).toBe(404);
    }
    for (const path of ['/health', '/v1/stats', '/metrics', '/docs']) {
      const headers = { 'X-API-Key': 'a-key-for-tests' };
      expect((await ask(service.adminUrl + path, { headers })).status).toBe(401);
    }
  });

  test('README’s admin client is the one that this test runs', async () => {
    const example = readFileSync(EXAMPLE, 'utf8');
    expect(readFileSync(README, 'utf8')).toContain(`\`\`\`ts\n${example}\`\`\``);
    const service = served();
    const token = readFileSync(String((await service.logLine({ event: 'admin-listening' })).token_file), 'utf8').trim();
    const said = vi.spyOn(console, 'log').mockImplementation(() => {});
    const key = await welcome(service.adminUrl, token, 'Acme EHR');
    const lines = said.mock.calls.map(([line]) => String(line));
    said.mockRestore();
    expect(lines[0]).toMatch(/^Live: [0-9a-f]{32}, \d+ tracts$/);
    expect(lines[2]).toMatch(/^In the log: keys\.issue at /);
    expect(await service.statusOf(key)).toBe(200);
  });

  // At the end: those before it are told of no earlier dataset.
  test('a maintainer’s session works end to end: issue, call, publish, reload, see the change, roll back, revoke, be refused', async () => {
    const service = served();
    const { command } = service;
    const issued = await command(
      'keys',
      'issue',
      '--name',
      'Acme EHR',
      '--expires',
      '90d',
      '--rate-limit',
      '600',
      '--json',
    );
    expect(issued).toMatchObject({ code: 0, stderr: '' });
    const { id, key, expiresAt } = JSON.parse(issued.stdout);
    expect(key).toMatch(/^tc_live_[1-9A-HJ-NP-Za-km-z]+$/);
    expect((Date.parse(expiresAt) - Date.now()) / 86_400_000).toBeCloseTo(90, 1);

    const before = await service.fetch('/v1/stats', { headers: { 'X-API-Key': key } });
    expect(before.headers.get('x-ratelimit-limit')).toBe('600');
    const generations = [before.headers.get('x-dataset-generation')];
    publishTinyDataset(datasetsDir, 7);
    expect(await command('datasets', 'reload')).toMatchObject({ code: 0 });
    generations.push((await service.fetch('/v1/stats')).headers.get('x-dataset-generation'));
    expect(await command('datasets', 'rollback', '--yes')).toMatchObject({ code: 0 });
    generations.push((await service.fetch('/v1/stats')).headers.get('x-dataset-generation'));
    expect(new Set(generations).size).toBe(2);
    expect(generations[2]).toBe(generations[0]);

    const listed = await command('keys', 'list', '--json');
    expect(JSON.parse(listed.stdout)).toContainEqual(
      expect.objectContaining({ id, name: 'Acme EHR', status: 'active' }),
    );
    expect((await command('keys', 'list')).stdout).toContain('Acme EHR');
    expect((await command('keys', 'usage', id)).stdout).toMatch(/\/v1\/stats +1$/m);
    expect(await command('keys', 'revoke', id, '--yes')).toMatchObject({ code: 0 });
    expect(await service.statusOf(key)).toBe(403);
    const log = (await command('system', 'audit')).stdout;
    for (const action of ['keys.issue', 'datasets.reload', 'datasets.rollback', 'keys.revoke'])
      expect(log).toContain(action);
  });
});
