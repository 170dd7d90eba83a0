import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, renameSync } from 'node:fs';
import { Agent, createServer, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { childrenOf } from '../../bench/lib/process-tree.js';
import { metricsSchema } from '../../src/http/schemas/system.js';
import { packageFile } from '../../src/platform/package-root.js';
import { WITHIN_MS } from '../support/eventually.js';
import { sendJson, startFakeServer } from '../support/fake-server.js';
import { holdRequest } from '../support/held-request.js';
import { listenLocally } from '../support/listen-locally.js';
import { variants } from '../support/rounds.js';
import { runProgram } from '../support/run-program.js';
import { runToEnd, type ServiceProcess, startService, TEST_KEY } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishedTinyDirectory, publishTinyDataset } from '../support/tiny-dataset.js';

const TRACT = '/v1/tracts/27001000100';
const NEARBY = '/v1/nearby?lat=45.05&lng=-94.95&radius=50';
const ADMIN_TOKEN = 'a-token-for-the-tests-of-several-processes';
const WAIT = { timeout: WITHIN_MS, interval: 20 };
/** By how much the clocks and timers of two processes may differ. */
const CLOCKS_MS = 10;

async function startTwo(env: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startService(publishedTinyDirectory(), { PROCESSES: '2', ...env });
  onTestFinished(service.kill);
  return service;
}

const logOf = (service: ServiceProcess): Record<string, unknown>[] =>
  service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

/** The processes that have opened the dataset so far. */
const pidsOf = (service: ServiceProcess): number[] =>
  logOf(service)
    .filter(({ event }) => event === 'dataset')
    .map(({ pid }) => Number(pid));

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** A request over a connection of its own, which any of the processes may take. */
function ask(service: ServiceProcess, path: string): Promise<Response> {
  return service.fetch(path, { headers: { 'X-API-Key': TEST_KEY, Connection: 'close' } });
}

const metricsOf = async (service: ServiceProcess) => metricsSchema.parse(await (await ask(service, '/metrics')).json());

async function askMany(service: ServiceProcess, path: string, howMany: number): Promise<Response[]> {
  return Promise.all(Array.from({ length: howMany }, () => ask(service, path)));
}

// One after the other on one service: to start two processes takes longer than any of it.
test('two processes share one address and log whole lines with their id, open no debugger at SIGUSR1, and end in order at SIGTERM', async () => {
  const service = await startTwo();
  const pids = pidsOf(service);
  expect(new Set(pids).size).toBe(2);
  expect(pids).not.toContain(service.pid);
  const answering = (): Set<unknown> =>
    new Set(logOf(service).flatMap(({ msg, pid }) => (msg === 'request' ? [pid] : [])));
  await vi.waitFor(async () => {
    for (const response of await askMany(service, TRACT, 40)) expect(response.status).toBe(200);
    expect(answering()).toEqual(new Set(pids));
  }, WAIT);
  expect(logOf(service).filter(({ event }) => event === 'listening')).toHaveLength(1);

  // A debugger would let all users of the machine in.
  for (const pid of [service.pid, ...pids]) process.kill(pid, 'SIGUSR1');
  // It tells that it listens, from a thread of its own.
  expect((await service.fetch(TRACT)).status).toBe(200);
  await delay(500);
  expect(service.output()).not.toContain('Debugger');

  const begun = await Promise.all(Array.from({ length: 12 }, () => holdRequest(service.url)));
  service.signal('SIGTERM');
  for (const answer of await Promise.all(begun.map(({ finish }) => finish())))
    expect(answer).toContain('HTTP/1.1 200 OK\r\n');
  expect(await service.exited).toBe(0);
  await service.logLine({ event: 'stopped' });
  expect(pids.filter(isRunning)).toEqual([]);
  expect(service.output()).not.toContain('process-ended');
});

/** A call that the admin plane waits for the end of: only its head has arrived. */
async function beginAdminCall(service: ServiceProcess): Promise<Socket> {
  const { url } = await service.logLine({ event: 'admin-listening' });
  const socket = connect(Number(new URL(String(url)).port), '127.0.0.1');
  const head = ['POST /keys.revoke HTTP/1.1', 'Host: 127.0.0.1', `Authorization: Bearer ${ADMIN_TOKEN}`];
  const body = ['Content-Type: application/json', 'Content-Length: 100', 'Expect: 100-continue'];
  socket.write(`${[...head, ...body].join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  return socket;
}

test('of many concurrent requests to both processes exactly the limit is answered, each with its own remaining count; what a signal to all ends is not replaced while the primary waits for admin calls', async () => {
  const service = await startTwo({ RATE_LIMIT_MAX: '50', ADMIN_TOKEN });
  const responses = await askMany(service, TRACT, 120);
  const accepted = responses.filter(({ status }) => status === 200);
  const places = accepted.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
  expect(places.sort((one, other) => one - other)).toEqual(Array.from({ length: 50 }, (_, place) => place));
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(70);
  for (const path of ['/health', '/metrics']) {
    expect(await (await ask(service, path)).json()).toMatchObject({ rate_limiter: { active_keys: 1 } });
  }

  const pids = pidsOf(service);
  const call = await beginAdminCall(service);
  for (const pid of [service.pid, ...pids]) process.kill(pid, 'SIGTERM');
  await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), WAIT);
  call.destroy();
  expect(await service.exited).toBe(0);
  expect(service.output()).not.toMatch(/process-ended|process-replaced/);
  expect(pidsOf(service)).toEqual(pids);
});

test('a signal to all while they start, as terminals send it, ends the start: nothing is replaced, and it is no error', async () => {
  const service = runProgram(['serve', '--processes', '2', '--datasets', publishedTinyDirectory(), '--port', '0'], {
    API_KEYS: TEST_KEY,
    STATE_DIR: temporaryDirectory(),
  });
  const exited = once(service, 'close');
  onTestFinished(() => void service.kill('SIGKILL'));
  const { pid = 0 } = service;
  const lines: unknown[] = [];
  createInterface({ input: service.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
  await vi.waitFor(() => expect(childrenOf(pid)).toHaveLength(2), { ...WAIT, interval: 5 });
  for (const each of [pid, ...childrenOf(pid)]) process.kill(each, 'SIGINT');
  expect(await exited).toEqual([0, null]);
  expect(lines).toContainEqual(expect.objectContaining({ event: 'stopped' }));
  expect(lines).not.toContainEqual(expect.objectContaining({ level: 'error' }));
  expect(lines).not.toContainEqual(expect.objectContaining({ event: 'listening' }));
});

test('both processes together send requests to Nominatim at its allowed rate, never faster; a signal to all at once, as terminals send it, counts as one', async () => {
  const arrivalsMs: number[] = [];
  const nominatim = await startFakeServer((response) => {
    arrivalsMs.push(performance.now());
    sendJson(response, []);
  });
  const service = await startTwo({
    GEOCODER: 'nominatim',
    NOMINATIM_URL: nominatim.url,
    NOMINATIM_REQUESTS_PER_SECOND: '5',
  });
  const paths = Array.from({ length: 12 }, (_, at) => {
    const address = `${at + 1} Sample St, Sampleton, DE 19901`;
    return `/v1/context?${new URLSearchParams({ address })}`;
  });
  const askedAtMs = performance.now();
  const answers = await Promise.all(paths.map(async (path) => (await ask(service, path)).text()));
  expect(answers).toHaveLength(12);
  expect(nominatim.requests).toHaveLength(12);
  // Starts are 200 ms apart, and of two processes that knew nothing of each other 100 on the average. Against the beginning:
  // on a busy machine one may be longer on its way than the next.
  const tooEarly = arrivalsMs.filter((atMs, turn) => atMs < askedAtMs + turn * 200 - CLOCKS_MS);
  expect(tooEarly).toEqual([]);
  const distances = arrivalsMs.slice(1).map((atMs, at) => atMs - (arrivalsMs[at] ?? 0));
  expect(distances.toSorted((one, other) => one - other)[5]).toBeLessThan(300);

  const begun = await Promise.all(Array.from({ length: 12 }, () => holdRequest(service.url)));
  for (const pid of [...pidsOf(service), service.pid]) process.kill(pid, 'SIGINT');
  for (const answer of await Promise.all(begun.map(({ finish }) => finish())))
    expect(answer).toContain('HTTP/1.1 200 OK\r\n');
  expect(await service.exited).toBe(0);
});

test('metrics and cache figures are sums over both processes, whichever answers; when the primary is killed, they log it, finish their requests and exit', async () => {
  const service = await startTwo({ CACHE_MAX_SIZE: '101' });
  await askMany(service, NEARBY, 60);
  await askMany(service, '/v1/tracts/none', 20);
  await service.fetch('/v1/stats', { headers: {} });
  // Every look is a request itself; a process counts one when it has written the answer.
  let looks = 0;
  await vi.waitFor(async () => {
    const before = looks++;
    const { total_requests, status_codes, cache, auth_failures } = await metricsOf(service);
    expect(total_requests).toBe(81 + before);
    expect(status_codes).toEqual({ 200: 60 + before, 401: 1, 422: 20 });
    expect(cache.hits + cache.misses).toBe(60);
    expect(cache).toMatchObject({ max_size: 101, hit_rate: Math.round((cache.hits / 60) * 1e4) / 1e4 });
    expect([1, 2]).toContain(cache.size);
    expect(auth_failures).toBe(1);
  }, WAIT);
  const prometheus = await fetch(`${service.url}/metrics`, { headers: { Accept: 'text/plain' } });
  expect(await prometheus.text()).toContain(
    'tract_context_requests_total{route="/v1/nearby",method="GET",status="200"} 60\n',
  );

  const begun = await Promise.all(Array.from({ length: 12 }, () => holdRequest(service.url)));
  service.signal('SIGKILL');
  for (const pid of pidsOf(service)) await service.logLine({ event: 'primary-gone', pid, level: 'error' });
  for (const answer of await Promise.all(begun.map(({ finish }) => finish())))
    expect(answer).toContain('HTTP/1.1 200 OK\r\n');
  await vi.waitFor(() => expect(pidsOf(service).filter(isRunning)).toEqual([]), WAIT);
});

/**
 * Asks over one connection again and again until it is told to stop, and opens another where it is cut off; once it is told
 * to spare the service, with pauses.
 */
function startClient(service: ServiceProcess) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const counts = { answered: 0, failed: 0 };
  let stopping = false;
  let pauseMs = 0;
  const askOnce = (): Promise<boolean> =>
    new Promise((resolve) => {
      const request = get(`${service.url}${TRACT}`, { agent, headers: { 'X-API-Key': TEST_KEY } }, (response) => {
        response.resume().once('close', () => resolve(response.complete && response.statusCode === 200));
      });
      request.once('error', () => resolve(false));
    });
  const run = async (): Promise<void> => {
    while (!stopping) {
      counts[(await askOnce()) ? 'answered' : 'failed']++;
      if (pauseMs > 0) await delay(pauseMs);
    }
    agent.destroy();
  };
  const finished = run();
  return {
    counts,
    spare: () => {
      pauseMs = 5;
    },
    stop: async () => {
      stopping = true;
      await finished;
    },
  };
}

test('kill -9 of one process under load fails at most the requests on its connections; it is replaced, and its counts remain; one whose state is gone makes no new one beside that of the others, and says so', async () => {
  const STATE_DIR = join(temporaryDirectory(), 'state');
  const service = await startTwo({ STATE_DIR });
  const [victim = 0, survivor = 0] = pidsOf(service);
  const clients = Array.from({ length: 8 }, () => startClient(service));
  const answered = (): number => clients.reduce((sum, { counts }) => sum + counts.answered, 0);
  const failed = (): number => clients.reduce((sum, { counts }) => sum + counts.failed, 0);
  await vi.waitFor(() => expect(answered()).toBeGreaterThan(500), WAIT);
  process.kill(victim, 'SIGKILL');
  expect(await service.logLine({ event: 'process-ended' })).toMatchObject({ pid: victim, signal: 'SIGKILL' });
  // The successor needs the processor, too.
  for (const { spare } of clients) spare();
  const { pid: successor } = await service.logLine({ event: 'process-replaced' });
  const atReplacement = answered();
  await vi.waitFor(() => expect(answered()).toBeGreaterThan(atReplacement + 200), WAIT);
  await Promise.all(clients.map(({ stop }) => stop()));
  // A client has one request on its way at a time.
  expect(failed()).toBeLessThanOrEqual(8);
  expect(isRunning(survivor)).toBe(true);
  await vi.waitFor(async () => {
    await askMany(service, '/health', 20);
    expect(service.output()).toMatch(new RegExp(`"pid":${successor},.*"route":"/health"`));
  }, WAIT);
  const { status_codes } = await metricsOf(service);
  const asked = logOf(service).filter(({ route }) => route === '/health').length;
  // One more for each connection that was cut off after its request was counted; and one less where the kill came between
  // the sending of an answer and its counting.
  expect((status_codes[200] ?? 0) - asked).toBeGreaterThanOrEqual(answered() - 1);

  renameSync(STATE_DIR, `${STATE_DIR}-unmounted`);
  process.kill(survivor, 'SIGKILL');
  const end = await service.logLine({ event: 'process-ended', code: 1 });
  expect(end.reason).toContain(`${STATE_DIR}: the state that this service has opened is gone from here`);
  expect(existsSync(STATE_DIR)).toBe(false);
});

test.each(['die', 'fail'])('a process ends whose primary does not learn that it listens (%s)', async (end) => {
  const program = packageFile('dist', 'test', 'support', 'primary-program.js');
  const env = { STATE_DIR: temporaryDirectory(), DATASETS_DIR: publishedTinyDirectory() };
  const primary = spawn(process.execPath, [program, end], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const [pid] = await once(primary.stdout, 'data');
  onTestFinished(() => {
    for (const each of [Number(pid), primary.pid])
      if (each !== undefined && isRunning(each)) process.kill(each, 'SIGKILL');
  });
  await vi.waitFor(() => expect(isRunning(Number(pid))).toBe(false), WAIT);
});

test.each(variants(['an address in use'], ['a state directory that is a file']))(
  'an error that keeps all processes from starting is reported once, with exit code 1: %s',
  async (error) => {
    const datasetsDir = publishedTinyDirectory();
    const file = join(datasetsDir, 'CURRENT');
    const [port, stateDir, reason] =
      error === 'an address in use'
        ? [await listenLocally(createServer()), temporaryDirectory(), 'EADDRINUSE']
        : [0, file, `STATE_DIR (--state-dir): state directory ${file}`];
    const directories = ['--datasets', datasetsDir, '--state-dir', stateDir];
    const { code, stdout, stderr } = await runToEnd(['serve', '--processes', '2', '--port', `${port}`, ...directories]);
    expect(code).toBe(1);
    expect(stderr).toBe('');
    const failures = stdout.split('\n').filter((line) => line.includes('"level":"error"'));
    expect(failures).toEqual([expect.stringContaining(reason)]);
    expect(failures[0]).toContain('the service cannot start');
  },
);

/** Ends a process as soon as it has been started. */
const END_AT_ONCE = 'process.exit(3);';
/** Lets a process not read the part of its program that serves, as when the system has no file descriptor left. */
const READ_NO_MORE = `
  const none = () => Object.assign(new Error('ENFILE: file table overflow, open'), { code: 'ENFILE', errno: -23, syscall: 'open' });
  const hooks = \`export const load = (url, context, next) => {
    if (url.includes('/program/serve-')) throw (\${none})();
    return next(url, context);
  };\`;
  (await import('node:module')).register('data:text/javascript,' + encodeURIComponent(hooks));`;

test.each(variants([['cannot read their program', READ_NO_MORE, 1]], [['end at once', END_AT_ONCE, 3]]))(
  'processes that %s are started at most five times each; then the service exits with 1',
  async (_, ending, code) => {
    const inMembers = `import cluster from 'node:cluster'; if (cluster.isWorker) { ${ending} }`;
    const ended = await runToEnd(
      [
        'serve',
        '--processes',
        '2',
        '--port',
        '0',
        '--datasets',
        publishedTinyDirectory(),
        '--state-dir',
        temporaryDirectory(),
      ],
      { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(inMembers)}` },
    );
    expect(ended.code).toBe(1);
    const lines = ended.stdout
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line));
    const ends = lines.filter(({ event }) => event === 'process-ended');
    for (const end of ends) expect(end).toMatchObject({ code, signal: null });
    expect(ends.length).toBeGreaterThanOrEqual(5);
    expect(ends.length).toBeLessThanOrEqual(10);
    // The other process may end after the one whose fifth end settled it.
    const told = lines.filter(({ event }) => event !== 'process-ended').at(-1);
    expect(told).toMatchObject({ level: 'error', msg: 'the service cannot start' });
  },
);

test('start serves the demo with its key in several processes, and leaves the state of serve alone', async () => {
  const directory = temporaryDirectory();
  publishTinyDataset(join(directory, 'datasets', 'demo'));
  const child = runProgram(['start', '--port', '0', '--processes', '2'], {}, directory);
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.includes('Stop with')) break;
  }
  const [, key = '', url = ''] = /curl -H 'X-API-Key: ([^']+)' '([^']+)'/.exec(said) ?? [];
  const within = url.replace('lat=44.9778&lng=-93.2650', 'lat=45.05&lng=-94.95');
  for (let request = 0; request < 20; request++) {
    const response = await fetch(within, { headers: { 'X-API-Key': key, Connection: 'close' } });
    expect(response.status).toBe(200);
  }
  expect(existsSync(join(directory, 'state'))).toBe(false);
  expect(existsSync(join(directory, 'state-demo', 'data.mdb'))).toBe(true);
  child.kill('SIGTERM');
  await once(child, 'exit');
});
