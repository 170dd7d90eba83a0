import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { childrenOf } from '../../bench/lib/process-tree.js';
import { generationPath, readCurrent } from '../../src/catalog/directory/generations.js';
import { geoidFromNumber } from '../../src/core/geoid.js';
import { formatTable } from '../../src/core/table.js';
import { openDataset } from '../../src/format/dataset.js';
import { DELIVERY_LIMITS } from '../../src/webhooks/delivery/delivery-limits.js';
import { type AdministeredService, administer } from '../support/administered-service.js';
import { behaviours, type ChaosReceiver, startChaosReceiver } from '../support/chaos-receivers.js';
import { killTree } from '../support/child-processes.js';
import { demoDataset } from '../support/demo-dataset.js';
import { eventually } from '../support/eventually.js';
import { startFakeServer } from '../support/fake-server.js';
import { type ServiceProcess, startService, TEST_KEY } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset, TINY_TRACTS } from '../support/tiny-dataset.js';

const KILLS = 10;
const STATES = ['11', '27', '55'];
const SLOW_SLACK_MS = 15 * 60_000;

/** The GEOIDs of a published dataset, in order. */
function publishedGeoids(datasetsDir: string): string[] {
  const dataset = openDataset(generationPath(datasetsDir, readCurrent(datasetsDir) ?? ''));
  try {
    return Array.from(dataset.tracts.geoids, geoidFromNumber);
  } finally {
    dataset.release();
  }
}

/** Makes a dataset the published one of another directory, as a publication does: its name comes last. */
function publishCopy(from: string, to: string): void {
  const generation = readCurrent(from) ?? '';
  cpSync(generationPath(from, generation), generationPath(to, generation), { recursive: true });
  cpSync(join(from, 'CURRENT'), join(to, 'CURRENT'));
}

async function subscribe(
  service: ServiceProcess,
  { url, secret, filters }: Pick<ChaosReceiver, 'url' | 'secret' | 'filters'>,
  owner: string,
): Promise<void> {
  const response = await service.fetch('/v1/webhooks', {
    method: 'POST',
    headers: { 'X-API-Key': owner, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url, secret, filters, events: ['data.updated'] }),
  });
  expect(response.status).toBe(201);
}

/** By run of the service, the events that had come in an earlier one. */
function repeatedByRun({ events }: ChaosReceiver): number[] {
  return Array.from(
    { length: KILLS + 1 },
    (_, run) =>
      [...events.values()].filter(({ timesByRun }) => timesByRun.has(run) && !isFirst(timesByRun, run)).length,
  );
}

const isFirst = (timesByRun: ReadonlyMap<number, number>, run: number): boolean =>
  Math.min(...timesByRun.keys()) === run;

/** How often events came again in the run in which they had come: as many as were not acknowledged. */
function repeatedWithinRuns({ events }: ChaosReceiver): number {
  const times = [...events.values()].flatMap(({ timesByRun }) => [...timesByRun.values()]);
  return times.reduce((sum, count) => sum + count - 1, 0);
}

test('kill -9 gives a failing receiver neither further attempts nor less rest', async () => {
  const datasetsDir = temporaryDirectory();
  const stateDir = mkdtempSync(join(tmpdir(), 'tract-context-rest-'));
  onTestFinished(() => rmSync(stateDir, { recursive: true, force: true }));
  const came: { id: string; atMs: number }[] = [];
  const receiver = await startFakeServer((response, { headers }) => {
    came.push({ id: String(headers['webhook-id']), atMs: performance.now() });
    // The second attempt is cut off.
    if (came.length === 2) killTree(service.pid);
    else response.writeHead(503).end();
  });
  const env = { STATE_DIR: stateDir, WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WATCH_DATASETS: 'true' };
  const start = async (): Promise<AdministeredService> => administer(await startService(datasetsDir, env));
  onTestFinished(() => service.kill());
  let service = await start();
  await subscribe(service, { url: receiver.url, secret: 'geheim' }, TEST_KEY);
  publishTinyDataset(datasetsDir);
  await service.exited;
  service = await start();
  // The one that was cut off again, the third, and three of the next event.
  await receiver.received(7);
  const summary = async () => (await service.admin.webhooks.list.query())[0];
  await eventually(async () => expect(await summary()).toMatchObject({ failuresInARow: 2, deadLetters: 2 }));
  killTree(service.pid);
  await service.exited;
  service = await start();
  await receiver.received(8);

  const [first, second, third] = new Set(came.map(({ id }) => id));
  expect(came.map(({ id }) => id)).toEqual([first, first, first, first, second, second, second, third]);
  const { recent } = await service.admin.webhooks.attempts.query({ id: 1 });
  expect(recent.slice(-6).map(({ attempt }) => attempt)).toEqual([3, 2, 1, 3, 2, 1]);
  const [failed = Number.NaN, next = Number.NaN] = came.slice(-2).map(({ atMs }) => atMs);
  // Clocks of two kinds.
  expect(next - failed).toBeGreaterThan(DELIVERY_LIMITS.coolDownMs - 50);
}, 120_000);

test('a delivery process that is stopped is replaced: no event is lost, and what was not stored comes again', async () => {
  const datasetsDir = temporaryDirectory();
  const service = await startService(datasetsDir, { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WATCH_DATASETS: 'true' });
  onTestFinished(service.kill);
  const receiver = await startFakeServer((response) => {
    if (receiver.requests.length !== 2) response.writeHead(204).end();
    else for (const deliverer of childrenOf(service.pid)) process.kill(deliverer, 'SIGSTOP');
  });
  await subscribe(service, { url: receiver.url, secret: 'geheim' }, TEST_KEY);
  publishTinyDataset(datasetsDir);
  await service.logLine({ error: 'SilentProcessError' });
  await service.logLine({ event: 'dispatcher-ended', signal: 'SIGKILL' });
  const events = (): Set<unknown> => new Set(receiver.requests.map(({ headers }) => headers['webhook-id']));
  await eventually(() => expect(events().size).toBe(TINY_TRACTS.length));
  // The one without an answer, and that before it, whose outcome may not have been stored yet.
  expect(receiver.requests.length - TINY_TRACTS.length).toBeLessThanOrEqual(2);
}, 90_000);

test(`chaos: receivers of all kinds, and the service killed ${KILLS} times`, async () => {
  const source = await demoDataset(STATES);
  const geoids = publishedGeoids(source);
  const datasetsDir = temporaryDirectory();
  const stateDir = mkdtempSync(join(tmpdir(), 'tract-context-chaos-'));
  onTestFinished(() => rmSync(stateDir, { recursive: true, force: true }));
  let service: ServiceProcess | undefined;
  const start = async (): Promise<ServiceProcess> => {
    service = await startService(datasetsDir, {
      STATE_DIR: stateDir,
      API_KEYS: `${TEST_KEY},another-key`,
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    });
    return service;
  };
  onTestFinished(() => service?.kill());
  const elsewhere = await startFakeServer((response) => void response.writeHead(204).end());

  let requests = 0;
  let run = 0;
  let killAt = Number.POSITIVE_INFINITY;
  const receivers: ChaosReceiver[] = [];
  for (const behaviour of behaviours(elsewhere.url)) {
    const onRequest = (): number => {
      if (++requests === killAt && service) killTree(service.pid);
      return run;
    };
    receivers.push(await startChaosReceiver(behaviour, onRequest));
  }
  const healthy = receivers.filter((receiver) => receiver.healthy);
  const wantedBy = ({ filters }: ChaosReceiver): string[] =>
    geoids.filter((geoid) => filters === undefined || filters.state_fips.includes(geoid.slice(0, 2)));
  const total = healthy.reduce((sum, receiver) => sum + wantedBy(receiver).length, 0);

  let running = await start();
  for (const [at, receiver] of receivers.entries())
    await subscribe(running, receiver, at < 10 ? TEST_KEY : 'another-key');
  publishCopy(source, datasetsDir);
  for (let kill = 0; kill < KILLS; kill++) {
    killAt = requests + Math.floor(total / (KILLS + 2));
    await running.exited;
    run++;
    running = await start();
  }
  killAt = Number.POSITIVE_INFINITY;
  await vi.waitFor(
    () => expect(healthy.map(({ events }) => events.size)).toEqual(healthy.map((entry) => wantedBy(entry).length)),
    { timeout: SLOW_SLACK_MS, interval: 250 },
  );
  // What is still under way comes in.
  running.signal('SIGTERM');
  expect(await running.exited).toBe(0);

  const rows = receivers.map((receiver) => [
    receiver.name,
    receiver.healthy ? 'yes' : 'no',
    String(wantedBy(receiver).length),
    String(receiver.events.size),
    String(receiver.requests()),
    String(Math.max(...repeatedByRun(receiver))),
    String(receiver.strays.length),
  ]);
  const header = ['receiver', 'healthy', 'events', 'came', 'requests', 'most again', 'strays'];
  console.log([`chaos, ${KILLS} kills, ${geoids.length} tracts:`, ...formatTable(header, rows)].join('\n'));

  for (const receiver of receivers) {
    const came = [...receiver.events.values()].map(({ geoid }) => geoid);
    const wanted = wantedBy(receiver);
    expect(came, receiver.name).toEqual(receiver.healthy ? wanted : wanted.slice(0, came.length));
    expect(receiver.strays, receiver.name).toEqual([]);
  }
  expect(elsewhere.requests).toHaveLength(0);
  for (const receiver of healthy) {
    const most = Math.max(...repeatedByRun(receiver));
    expect(most, receiver.name).toBeLessThanOrEqual(DELIVERY_LIMITS.unsavedMax);
    // The worst of them fails one of 200, or a single one.
    expect(repeatedWithinRuns(receiver), receiver.name).toBeLessThanOrEqual(receiver.requests() / 200 + 1);
  }
  const repeated = healthy.flatMap(repeatedByRun).reduce((sum, count) => sum + count);
  expect(repeated).toBeLessThan(total / 10);
});
