import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { childrenOf } from '../../bench/lib/process-tree.js';
import { deferred } from '../../src/core/deferred.js';
import type { ApiDocument } from '../../src/http/openapi/model.js';
import { openState } from '../../src/state/open-state.js';
import { announceGeneration } from '../../src/webhooks/events/announce.js';
import { createOwners } from '../../src/webhooks/owners.js';
import { EVENTS } from '../../src/webhooks/subscription.js';
import { type AdministeredService, administer, startAdministered } from '../support/administered-service.js';
import { allowDescriptors, allowNoLongerFiles, killTree, nicenessOf } from '../support/child-processes.js';
import { createDocumentValidator } from '../support/document-validator.js';
import { eventually } from '../support/eventually.js';
import { type Answer, type FakeServer, type ReceivedRequest, startFakeServer } from '../support/fake-server.js';
import { leftWith, OWNERS, sharedDirectory } from '../support/left-state.js';
import { RECEIVER_LANGUAGES, startReadmeReceiver } from '../support/receiver-process.js';
import { variants } from '../support/rounds.js';
import { runHere } from '../support/run-here.js';
import { type ServiceProcess, startService, TEST_KEY } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset, TINY_TRACTS } from '../support/tiny-dataset.js';

const DELIVERER = fileURLToPath(new URL('../../dist/program/dispatcher-process.js', import.meta.url));
const ALL = TINY_TRACTS.map(({ geoid }) => geoid);
const geoidOf = ({ body }: ReceivedRequest): string => JSON.parse(body).data.geoid;
const idOf = ({ headers }: ReceivedRequest): string => String(headers['webhook-id']);
const arrive: Answer = (response) => void response.writeHead(204).end();

/** A service that may deliver to 127.0.0.1. */
async function start(datasetsDir: string, stateDir: string, env: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startService(datasetsDir, {
    STATE_DIR: stateDir,
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    WATCH_DATASETS: 'true',
    ...env,
  });
  onTestFinished(service.kill);
  return service;
}

const AS_OWNER = { headers: { 'X-API-Key': TEST_KEY, 'Content-Type': 'application/json' } };

async function subscribe(service: ServiceProcess, url: string, more: object = {}): Promise<{ id: number }> {
  const body = JSON.stringify({ url, events: ['data.updated'], ...more });
  const response = await service.fetch('/v1/webhooks', { ...AS_OWNER, method: 'POST', body });
  expect(response.status).toBe(201);
  return (await response.json()) as { id: number };
}

/** Waits until the first subscription's last attempt was like this. */
async function attempted({ admin }: AdministeredService, like: object): Promise<void> {
  await eventually(async () => expect((await admin.webhooks.attempts.query({ id: 1 })).recent[0]).toMatchObject(like));
}

/** Each event once, in the order in which it came first. */
function firsts(requests: readonly ReceivedRequest[]): ReceivedRequest[] {
  const seen = new Set<string>();
  return requests.filter((request) => !seen.has(idOf(request)) && seen.add(idOf(request)));
}

test('README’s receivers get the events of a new dataset and verify every one; no proxy of the environment does', async () => {
  const [datasetsDir, stateDir] = [temporaryDirectory(), sharedDirectory()];
  const proxy = await startFakeServer((response) => void response.writeHead(200).end());
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
  const env = Object.fromEntries(names.map((name) => [name, proxy.url]));
  const service = await start(datasetsDir, stateDir, { ...env, NODE_USE_ENV_PROXY: '1' });
  const receivers = [];
  for (const language of RECEIVER_LANGUAGES) {
    const receiver = await startReadmeReceiver(language, 'a secret to share');
    if (!receiver) continue;
    await subscribe(service, receiver.url, { secret: 'a secret to share' });
    receivers.push(receiver);
  }
  publishTinyDataset(datasetsDir);
  for (const { lines } of receivers) {
    await eventually(() => expect(lines()).toHaveLength(ALL.length));
    const geoids = lines().map((line) => JSON.parse(line.slice(line.indexOf(' '))).data.geoid);
    expect(geoids).toEqual(ALL);
  }
  expect(proxy.requests).toEqual([]);
  const metrics = await (await service.fetch('/metrics', { headers: { accept: 'text/plain' } })).text();
  expect(metrics).toContain('tract_context_webhook_deliveries_total{subscription="1",outcome="arrived"}');
  expect(service.output()).not.toContain('a secret to share');
  expect(service.output()).not.toContain(receivers[0]?.url);
});

describe('a service of two processes, on which subscriptions come and go', () => {
  let datasetsDir: string;
  let stateDir: string;
  let shared: AdministeredService | undefined;
  /** How many more people the first tract of the published dataset has. */
  let more = 0;

  beforeAll(async () => {
    [datasetsDir, stateDir] = ['datasets', 'state'].map((name) => mkdtempSync(join(tmpdir(), `webhooks-${name}-`))) as [
      string,
      string,
    ];
    publishTinyDataset(datasetsDir);
    const env = { STATE_DIR: stateDir, PROCESSES: '2', WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WATCH_DATASETS: 'true' };
    shared = await startAdministered(datasetsDir, env);
    await shared.logLine({ event: 'announced' });
  });

  afterAll(async () => {
    await shared?.kill();
    for (const directory of [datasetsDir, stateDir]) rmSync(directory, { recursive: true, force: true });
  });

  const served = (): AdministeredService => shared ?? expect.fail('the service has been started');

  const publishMore = (people: number): void => {
    more += people;
    publishTinyDataset(datasetsDir, more);
  };

  /** Subscribes until the end of the test; gives the subscription's id. */
  const subscribed = async (url: string, input: object = {}): Promise<string> => {
    const service = served();
    const { id } = await subscribe(service, url, input);
    onTestFinished(async () => void (await service.fetch(`/v1/webhooks/${id}`, { ...AS_OWNER, method: 'DELETE' })));
    return String(id);
  };

  test('events match their description in the service’s OpenAPI document', async () => {
    const { deliveryFindings } = createDocumentValidator(
      (await (await served().fetch('/openapi.json')).json()) as ApiDocument,
    );
    const receiver = await startFakeServer(arrive);
    const before = (TINY_TRACTS[0]?.values[0] ?? Number.NaN) + more;
    const filters = { thresholds: { total_population: { operator: '>', value: before + 50 } } };
    await subscribed(receiver.url, { events: EVENTS, secret: 'a secret to share', filters });
    publishMore(100);
    await receiver.received(2);
    const events = receiver.requests.map(({ headers, body }) => {
      const parsed = JSON.parse(body);
      expect(deliveryFindings({ event: parsed.event, headers, body: parsed })).toEqual([]);
      expect([headers['x-webhook-signature'], headers['webhook-signature']]).not.toContain(undefined);
      return parsed;
    });
    expect(events.map(({ event }) => event)).toEqual(EVENTS);
    expect(events[1].data).toMatchObject({ metric: 'total_population', previous_value: before, value: before + 100 });
  });

  test('commands show deliveries, test a receiver, and exit with a code for the outcome', async () => {
    const { command, admin } = served();
    let status = 204;
    const receiver = await startFakeServer((response) => void response.writeHead(status).end());
    const id = await subscribed(receiver.url);
    const test = await command('webhooks', 'test', id);
    expect([test.code, test.stdout]).toEqual([0, expect.stringContaining('arrived:     true')]);
    status = 503;
    expect((await command('webhooks', 'test', id)).code).toBe(1);
    status = 422;
    publishMore(100);
    await eventually(async () => {
      const { recent } = await admin.webhooks.attempts.query({ id: Number(id) });
      expect(recent[0]).toMatchObject({ event: 'data.updated', status: 422 });
    });
    expect((await command('webhooks', 'attempts', id)).stdout).toMatch(/data\.updated +27001000100 +422/);
    status = 204;
    expect(await command('webhooks', 'replay', id)).toMatchObject({
      code: 0,
      stdout: 'Dead letters to be sent again: 1.\n',
    });
    await receiver.received(4);
    expect((await command('webhooks', 'list', '--json')).stdout).toContain('"failed": 1');
    expect(await command('webhooks', 'pause', 'x')).toMatchObject({ code: 2 });
    const deleted = { code: 0, stdout: `Deleted subscription ${id} (${receiver.url}).\n` };
    expect(await command('webhooks', 'delete', id, '--yes')).toMatchObject(deleted);
  });

  test('each event is delivered once', async () => {
    const receiver = await startFakeServer(arrive);
    await subscribed(receiver.url);
    publishMore(100);
    await receiver.received(1);
    publishMore(100);
    await receiver.received(2);
    expect(receiver.requests.map(geoidOf)).toEqual([ALL[0], ALL[0]]);
  });
});

test('a lost secret key is reported at start and not replaced; once it is back, failed events can be sent', async () => {
  const datasetsDir = temporaryDirectory();
  const key = '5e'.repeat(32);
  const env = { WEBHOOK_SECRET_KEY: key };
  const receiver = await startFakeServer(arrive);
  const end = async (service: ServiceProcess): Promise<void> => {
    service.signal('SIGTERM');
    await service.exited;
  };
  const stateDir = await leftWith(receiver.url, publishTinyDataset(datasetsDir), {
    secret: 'a-secret-of-a-receiver',
    secretKey: Buffer.from(key, 'hex'),
  });
  const backUp = (name: string, own: Record<string, string>) =>
    runHere(['backup', '--output', join(datasetsDir, name), '--state-dir', stateDir], own);
  const keyFile = join(stateDir, 'webhook-secret.key');
  for (const [name, own, advice] of [
    ['configured', env, 'It is the WEBHOOK_SECRET_KEY set here. Back it up separately: '],
    [
      'unknown',
      {},
      `${keyFile} is missing. If the service uses WEBHOOK_SECRET_KEY instead, back that up separately; otherwise restore `,
    ],
    ['unusable', { WEBHOOK_SECRET_KEY: 'x' }, `${keyFile} is missing. `],
  ] as const) {
    expect(await backUp(name, own)).toMatchObject({ code: 0, stderr: expect.stringContaining(advice) });
  }
  writeFileSync(keyFile, '07'.repeat(32), { mode: 0o600 });
  expect((await backUp('another', {})).stderr).toContain(
    `${keyFile} contains a different key. Back up the right one separately, for example`,
  );
  rmSync(keyFile);

  const lost = variants<[string, Record<string, string>]>(
    [['missing', {}]],
    [['another', { WEBHOOK_SECRET_KEY: '07'.repeat(32) }]],
  );
  for (const [key, other] of lost) {
    const service = await start(datasetsDir, stateDir, other);
    const line = await service.logLine({ event: 'webhook-secrets-unopenable', key });
    expect(line).toMatchObject({ level: 'error', subscriptions: 1, msg: expect.stringContaining('replay') });
    expect(existsSync(join(stateDir, 'webhook-secret.key'))).toBe(false);
    expect((await service.fetch('/v1/stats')).status).toBe(200);
    if (key === 'missing') {
      const body = JSON.stringify({ url: receiver.url, events: ['data.updated'], secret: 'one-that-none-could-open' });
      const headers = { 'X-API-Key': TEST_KEY, 'Content-Type': 'application/json' };
      const refused = await service.fetch('/v1/webhooks', { method: 'POST', headers, body });
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(await refused.json()).toMatchObject({ detail: expect.stringMatching(/lacks the key .* operator/) });
      publishTinyDataset(datasetsDir, 1);
      const administered = await administer(service);
      await attempted(administered, { event: 'data.updated', failure: 'secret' });
      const { stdout } = await administered.command('webhooks', 'attempts', '1');
      expect(stdout).toMatch(/data\.updated.*secret/);
    }
    await end(service);
  }

  const again = await start(datasetsDir, stateDir, env);
  const { command } = await administer(again);
  expect(again.output()).not.toContain('webhook-secrets-unopenable');
  await command('webhooks', 'resume', '1');
  expect(await command('webhooks', 'replay', '1')).toMatchObject({ code: 0 });
  await receiver.received(1);
});

test('a state that is restored beside the original notifies its subscribers only once they are resumed', async () => {
  const datasetsDir = temporaryDirectory();
  const receiver = await startFakeServer(arrive);
  const stateDir = await leftWith(receiver.url, publishTinyDataset(datasetsDir));
  const backup = join(datasetsDir, 'backup');
  expect(await runHere(['backup', '--output', backup, '--state-dir', stateDir])).toMatchObject({ code: 0 });

  const beside = join(sharedDirectory(), 'state');
  const restore = (...more: string[]) =>
    runHere(['restore', '--input', backup, '--state-dir', beside, '--yes', ...more]);
  expect((await restore()).stdout).toContain(
    'Active webhook subscriptions: 1. A service with this state notifies them',
  );
  const paused = await restore('--pause-webhooks', '--json');
  expect(JSON.parse(paused.stdout)).toMatchObject({ activeWebhooks: 0, pausedWebhooks: 1 });
  const rehearsal = await start(datasetsDir, beside);
  const { command, admin } = await administer(rehearsal);
  const [restored, pause] = await admin.system.audit.query({});
  expect(restored).toMatchObject({ action: 'state.restore' });
  expect(pause).toMatchObject({ action: 'webhooks.pause', target: '1', actor: { name: 'restore' } });
  publishTinyDataset(datasetsDir, 1);
  await eventually(async () => expect(await admin.webhooks.list.query({})).toMatchObject([{ waitingUpdates: 1 }]));
  expect((await command('webhooks', 'list', '--json')).stdout).toContain('"waitingUpdates": 1');
  expect(receiver.requests).toEqual([]);
  await command('webhooks', 'resume', '1');
  await receiver.received(1);
});

test('kill -9 during deliveries loses no event, keeps the order, and repeats few events, with the same ids', async () => {
  const [datasetsDir, stateDir] = [temporaryDirectory(), sharedDirectory()];
  let service = await start(datasetsDir, stateDir);
  const kills = variants([9], [21]).values();
  let answered = 0;
  let killAt = kills.next().value;
  const receiver = await startFakeServer((response, request) => {
    answered++;
    // Were the service killed alone, the process that delivers would still store what it has done.
    if (answered === killAt) killTree(service.pid);
    void arrive(response, request);
  });
  await subscribe(service, receiver.url);
  publishTinyDataset(datasetsDir);
  while (killAt !== undefined) {
    await service.exited;
    killAt = kills.next().value;
    service = await start(datasetsDir, stateDir);
  }
  await eventually(() => expect(firsts(receiver.requests)).toHaveLength(ALL.length));
  expect(firsts(receiver.requests).map(geoidOf)).toEqual(ALL);
  service.signal('SIGTERM');
  expect(await service.exited).toBe(0);
});

test('a service that is told to stop lets the attempt and the test under way end, and does not send the event again; where deliveries cannot be stored, the log names the state directory and says why', async () => {
  const [datasetsDir, stateDir] = [temporaryDirectory(), sharedDirectory()];
  const [held, limited] = [deferred<void>(), deferred<void>()];
  const receiver: FakeServer = await startFakeServer(async (response, request) => {
    const count = receiver.requests.length;
    if (count <= 2) await held.promise;
    if (count === ALL.length + 2) await limited.promise;
    await arrive(response, request);
  });
  const first = await administer(await start(datasetsDir, stateDir));
  await subscribe(first, receiver.url);
  publishTinyDataset(datasetsDir);
  await receiver.received(1);
  const tested = first.admin.webhooks.test.mutate({ id: 1 });
  await receiver.received(2);
  first.signal('SIGTERM');
  // Long enough for them to be cut off.
  await Promise.race([tested, delay(500)]);
  held.resolve();
  expect(await tested).toMatchObject({ arrived: true, status: 204 });
  expect(await first.exited).toBe(0);
  const second = await start(datasetsDir, stateDir);
  await receiver.received(ALL.length + 1);
  const events = receiver.requests.filter((_, at) => at !== 1);
  expect(events.map(geoidOf)).toEqual(ALL);

  publishTinyDataset(datasetsDir, 100);
  await receiver.received(ALL.length + 2);
  const [deliverer = 0] = childrenOf(second.pid);
  allowNoLongerFiles(deliverer);
  limited.resolve();
  const failed = await second.logLine({ kind: 'failed', error: 'StateError' });
  expect(failed).toMatchObject({ msg: 'deliveries cannot be stored', reason: expect.stringContaining(stateDir) });
  await second.logLine({ event: 'dispatcher-ended', code: 1, signal: null });
});

test('a start on another dataset announces the difference exactly once, even with several services', async () => {
  const datasetsDir = temporaryDirectory();
  const receiver = await startFakeServer(arrive);
  const stateDir = await leftWith(receiver.url, publishTinyDataset(datasetsDir));
  publishTinyDataset(datasetsDir, 100);
  await Promise.all([start(datasetsDir, stateDir), start(datasetsDir, stateDir)]);
  await receiver.received(1);
  // Told after the other, in order: had the first change been announced twice, it would have come before this one.
  publishTinyDataset(datasetsDir, 200);
  await receiver.received(2);
  const timestamps = receiver.requests.map(({ body }) => JSON.parse(body).timestamp);
  expect(receiver.requests.map(geoidOf)).toEqual([ALL[0], ALL[0]]);
  expect(new Set(timestamps).size).toBe(2);
});

test('when the delivery process is killed, another one on the same state continues', async () => {
  const [datasetsDir, stateDir] = [temporaryDirectory(), sharedDirectory()];
  const services: ServiceProcess[] = [];
  const held: (() => void)[] = [];
  const receiver: FakeServer = await startFakeServer((response, request) => {
    // The first attempt is never answered: the process that made it is killed instead.
    if (held.length > 0) void arrive(response, request);
    else held.push(() => {});
  });
  services.push(await start(datasetsDir, stateDir));
  const [one] = services;
  if (!one) throw new Error('a service was started');
  await subscribe(one, receiver.url);
  publishTinyDataset(datasetsDir);
  await receiver.received(1);
  const two = await start(datasetsDir, stateDir);
  await one.kill();
  await receiver.received(ALL.length + 1);
  expect(firsts(receiver.requests).map(geoidOf)).toEqual(ALL);
  two.signal('SIGTERM');
  expect(await two.exited).toBe(0);
});

test('deliveries run in a low-priority process that is replaced if killed, and ignores a signal sent to it alone', async () => {
  const datasetsDir = temporaryDirectory();
  const service = await start(datasetsDir, sharedDirectory());
  let isHeld = true;
  const receiver = await startFakeServer((response, request) => {
    if (!isHeld) void arrive(response, request);
  });
  await subscribe(service, receiver.url);
  publishTinyDataset(datasetsDir);
  await receiver.received(1);
  const [first = 0, ...others] = childrenOf(service.pid);
  expect(others).toEqual([]);
  // The service has the priority that the tests have.
  const niceness = getPriority();
  expect(new Set(nicenessOf(first))).toEqual(new Set([Math.min(19, niceness + 10)]));
  // The thread that sorts for narratives has the least priority, as long as it takes.
  await eventually(() => expect(new Set(nicenessOf(service.pid))).toEqual(new Set([niceness])));
  isHeld = false;
  process.kill(first, 'SIGKILL');
  await service.logLine({ event: 'dispatcher-ended', code: null, signal: 'SIGKILL' });
  await eventually(() => expect(firsts(receiver.requests)).toHaveLength(ALL.length));
  expect(firsts(receiver.requests).map(geoidOf)).toEqual(ALL);
  const metrics = await service.fetch('/metrics', { headers: { Accept: 'text/plain' } });
  expect(await metrics.text()).toContain('tract_context_restarts_total{part="delivery_process"} 1\n');

  const [second = 0] = childrenOf(service.pid);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(second, signal);
  publishTinyDataset(datasetsDir, 100);
  await receiver.received(ALL.length + 2);
  expect(childrenOf(service.pid)).toEqual([second]);
  service.signal('SIGTERM');
  expect(await service.exited).toBe(0);
  expect(() => process.kill(second, 0)).toThrow('ESRCH');
});

test('the process that delivers answers its host at once, even before it is told to start', async () => {
  const child = fork(DELIVERER);
  onTestFinished(() => void child.kill('SIGKILL'));
  child.send('ping');
  expect(await once(child, 'message')).toContain('pong');
});

test('without free file descriptors deliveries start later, and the service keeps running', async () => {
  const [datasetsDir, stateDir] = [temporaryDirectory(), sharedDirectory()];
  publishTinyDataset(datasetsDir);
  const service = await start(datasetsDir, stateDir, { WATCH_DATASETS: 'false', WORKER_THREADS: '1' });
  await service.logLine({ event: 'announced' });
  const receiver = await startFakeServer(arrive);
  await subscribe(service, receiver.url);
  // Its thread is there then: only the process that delivers is still to be started.
  expect((await service.fetch('/v1/nearby?lat=45.05&lng=-94.95&radius=50')).status).toBe(200);
  const state = await openState(stateDir);
  onTestFinished(() => state.close());
  allowDescriptors(service.pid, false);
  // As by another service on the same state: this one could not open the dataset now.
  const owners = createOwners(OWNERS);
  await announceGeneration({ state, owners, now: () => new Date() }, publishTinyDataset(datasetsDir, 100));
  const ended = service.exited.then(() => 'the service has ended');
  expect(await Promise.race([ended, service.logLine({ event: 'dispatcher-ended' })])).toMatchObject({
    code: null,
    signal: null,
  });
  allowDescriptors(service.pid, true);
  expect(await Promise.race([ended, receiver.received(1)])).toBeUndefined();
  expect(receiver.requests.map(geoidOf)).toEqual([ALL[0]]);
});
