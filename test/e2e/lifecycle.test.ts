import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { Agent, createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, onTestFinished, test } from 'vitest';
import { NAMES_EDITION } from '../../src/core/streets/names-edition.js';
import { systemCode } from '../../src/core/system-code.js';
import { eventually } from '../support/eventually.js';
import { holdRequest } from '../support/held-request.js';
import { listenLocally } from '../support/listen-locally.js';
import { runHere } from '../support/run-here.js';
import { runToEnd, type ServiceProcess, startService, TEST_KEY } from '../support/service-process.js';
import { getOver, statusOf } from '../support/status-over.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishedTinyDirectory, publishTinyDataset } from '../support/tiny-dataset.js';

const NEARBY = '/v1/nearby?lat=45.05&lng=-94.95&radius=50';

async function start(datasetsDir: string, env: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startService(datasetsDir, env);
  onTestFinished(service.kill);
  return service;
}

const request = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${TEST_KEY}\r\n${headers}\r\n`;

test('without a dataset it starts, says so, and makes the first published one live; a signal that npm passes on besides the terminal, which has sent it already, does not end it at once', async () => {
  const datasetsDir = join(temporaryDirectory(), 'datasets');
  const service = await start(datasetsDir);
  const health = await service.fetch('/health');
  expect(health.status).toBe(503);
  expect(await health.json()).toMatchObject({
    status: 'degraded',
    database: 'unavailable',
    detail: 'No dataset published yet.',
  });
  for (const path of ['/v1/context?lat=45.05&lng=-94.95', NEARBY, '/v1/tracts/27001000100']) {
    const response = await service.fetch(path);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.json()).toEqual({ error: true, status_code: 503, detail: 'No dataset is loaded yet.' });
  }
  expect((await service.fetch(NEARBY, { headers: {} })).status).toBe(401);

  const generation = publishTinyDataset(datasetsDir);
  await service.logLine({ event: 'dataset', generation });
  expect((await service.fetch('/health')).status).toBe(200);
  expect((await service.fetch(NEARBY)).status).toBe(200);

  const held = await holdRequest(service.url);
  // Of two kinds, which the system does not take for one, and both while it stands still: a busy machine could be longer on
  // the way from one to the next than anyone is who presses a key again.
  for (const name of ['SIGSTOP', 'SIGINT', 'SIGTERM', 'SIGCONT'] as const) service.signal(name);
  expect(await held.finish()).toContain('HTTP/1.1 200 OK\r\n');
  expect(await service.exited).toBe(0);
});

// Of SIGINT, the test of npm's signals holds the same.
test('SIGTERM lets the request in flight finish, fails no busy connection, whose last answer carries Connection: close, and ends with 0; a start warns of nothing where all is as it should be', async () => {
  const stateDir = temporaryDirectory();
  chmodSync(stateDir, '700');
  // An address of IPv6 that takes IPv4, too.
  const env = { HOST: '0:0::', PUBLIC_BASE_URL: 'https://tracts.example.org', STATE_DIR: stateDir };
  const service = await start(publishedTinyDirectory(), env);
  expect(await (await service.fetch('/llms.txt')).text()).toContain('https://tracts.example.org/');
  const agent = new Agent({ keepAlive: true });
  const reasons: unknown[] = [];
  let answers = 0;
  const client = async (): Promise<void> => {
    for (;;) {
      const sent = getOver(agent, `${service.url}${NEARBY}`);
      const outcome = await statusOf(sent).catch((error: unknown) => systemCode(error));
      if (outcome === 200) answers++;
      else return void reasons.push(sent.reusedSocket ? `${outcome} on a busy connection` : outcome);
    }
  };
  const clients = Promise.all(Array.from({ length: 24 }, client));
  await eventually(() => expect(answers).toBeGreaterThan(200));
  const held = await holdRequest(service.url);
  const standstills = monitorEventLoopDelay({ resolution: 10 });
  standstills.enable();
  service.signal('SIGTERM');
  await clients;
  standstills.disable();
  const answer = await held.finish();
  expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  expect(JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n')))).toMatchObject({ total: 1 });
  // The system resets new ones that come between the last look for them and the close, of which it lets two wait.
  const isReset = (reason: unknown): boolean => reason === 'ECONNRESET';
  expect(reasons.filter(isReset).length).toBeLessThanOrEqual(2);
  // A next request is waited for a quarter of a second: clients that stood still for about as long were too late with theirs.
  const wereLate = standstills.max > 150e6;
  const isLate = (reason: unknown): boolean => wereLate && reason === 'ECONNRESET on a busy connection';
  const others = reasons.filter((reason) => !isReset(reason) && !isLate(reason));
  expect(new Set(others)).toEqual(new Set(['ECONNREFUSED']));
  expect(await service.exited).toBe(0);
  await service.logLine({ event: 'stopped' });
  expect(service.output()).not.toMatch(/public-url-unset|state-dir-writable|no API key|names-of-another-edition/);
});

test('searches beyond the queue limit get 503 with Retry-After, the others 200; a second signal of either kind ends the service at once', async () => {
  const service = await start(publishedTinyDirectory(), {
    WORKER_THREADS: '1',
    QUEUE_MAX_TASKS: '1',
    SHUTDOWN_TIMEOUT_MS: '600000',
  });
  // In one write, so that they are all there before the thread can answer the first.
  // Each asks for something else, or they would share one search.
  const searches = Array.from({ length: 9 }, (_, at) => request(`${NEARBY}&limit=${at + 1}`)).join('');
  const answers = await service.exchange(searches + request(NEARBY, 'Connection: close\r\n'));
  const statuses = [...answers.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses).toEqual(['200', '200', ...Array(8).fill('503')]);
  expect(answers).toContain('Retry-After: 1\r\n');
  expect(answers).toContain('{"error":true,"status_code":503,"detail":"The service is busy. Try again shortly."}');

  const held = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {});
  onTestFinished(() => void held.destroy());
  held.write('GET /health HTTP/1.1\r\n');
  await once(held, 'connect');
  expect((await service.fetch('/health')).status).toBe(200);
  service.signal('SIGTERM');
  await eventually(async () => expect(await fetch(`${service.url}/health`).catch(() => 'closed')).toBe('closed'));
  // Until a second one is not taken for the first any more.
  const again = setInterval(() => service.signal('SIGINT'), 50);
  onTestFinished(() => clearInterval(again));
  // It was not asked to end in order any more.
  expect(await service.exited).toBeNull();
});

test('a start warns of what is probably not meant, and serves all the same', async () => {
  const [datasetsDir, stateDir] = [temporaryDirectory(), temporaryDirectory()];
  const generation = publishTinyDataset(datasetsDir, 0, NAMES_EDITION - 1);
  chmodSync(stateDir, '720');
  const service = await start(datasetsDir, {
    API_KEYS: '',
    HOST: '0.0.0.0',
    STATE_DIR: stateDir,
    ADMIN_HOST: 'http://u',
    ADMIN_ALLOW_PLAINTEXT: 'true',
  });
  await service.logLine({ level: 'warn', msg: 'synthetic demo data: no value was measured' });
  await service.logLine({
    level: 'warn',
    msg: 'no API key is set or issued: every request to /v1 gets 401 or 403; run "keys issue" or set API_KEYS',
  });
  expect((await service.fetch(NEARBY)).status).toBe(403);
  expect((await service.fetch('/health')).status).toBe(200);
  // On all addresses of a machine, its texts name none that clients can use.
  const { shown } = await service.logLine({ level: 'warn', event: 'public-url-unset' });
  expect(shown).toMatch(/^http:\/\/0\.0\.0\.0:\d+$/);
  expect(await service.logLine({ level: 'warn', event: 'names-of-another-edition' })).toMatchObject({
    generation,
    edition: NAMES_EDITION - 1,
    expected: NAMES_EDITION,
    // The demo is not compiled from anything.
    msg: expect.stringContaining('with the command demo'),
  });
  const { reason } = await service.logLine({ event: 'admin-unavailable' });
  expect(reason).toMatch(/^ADMIN_HOST \(--admin-host\) is "http:\/\/u": getaddrinfo /);
  service.signal('SIGTERM');
  expect(await service.exited).toBe(0);
  const told = service.output().match(/.*"event":"state-dir-writable".*/g);
  // Without the group's right to write, a service in another's directory would not start again.
  expect(told).toEqual([expect.stringContaining('give it to the user of this service')]);
});

test('an address in use ends the start with exit code 1 and the reason', async () => {
  const port = await listenLocally(createServer());
  const directories = ['--datasets', publishedTinyDirectory(), '--state-dir', temporaryDirectory()];
  const { code, stdout } = await runToEnd(['serve', '--port', String(port), ...directories]);
  expect(code).toBe(1);
  expect(stdout).toContain('EADDRINUSE');
});

test('a host that cannot be resolved is reported with its setting', async () => {
  const directories = ['--datasets', publishedTinyDirectory(), '--state-dir', temporaryDirectory()];
  const { code, stdout } = await runToEnd(['serve', '--host', 'http://u', '--port', '0', ...directories]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '').reason).toMatch(
    /^HOST \(--host\) is "http:\/\/u": getaddrinfo /,
  );
});

test.each([
  [['--port', 'http'], 'PORT (--port) is "http"; accepted: a whole number from 0 to 65535'],
  [['--colour'], 'unknown flag --colour; accepted: --host, --port'],
])('a wrong setting ends the start with exit code 2: %j', async (args, message) => {
  const { code, stderr } = await runHere(['serve', ...args]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test('--print-config prints the settings in force, without secrets, and exits', async () => {
  const secret = randomBytes(8).toString('hex');
  const { code, stdout } = await runHere(['serve', '--print-config', '--port', '1234'], {
    API_KEYS: secret,
    HOST: '::1',
  });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^HOST=::1\nPORT=1234\n/);
  expect(stdout).toContain('API_KEYS=*** (1 set)');
  expect(stdout).not.toContain(secret);
});

test('--help shows every setting and ends', async () => {
  const { code, stdout } = await runHere(['serve', '--help']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Usage: tract-context serve \[options\]\n.*--datasets-dir, --datasets {2}\(DATASETS_DIR\)/s);
});
