import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { demoDataset } from '../support/demo-dataset.js';
import { eventually } from '../support/eventually.js';
import type { AtEnd } from '../support/listen-locally.js';
import { rounds } from '../support/rounds.js';
import { type ServiceProcess, startService, TEST_KEY } from '../support/service-process.js';

const STALL_MS = 3000;

let datasetsDir: string;
beforeAll(async () => {
  datasetsDir = await demoDataset();
});

/** What a test does to a worker thread: it happens to the next one that looks at its clock, in the middle of a batch. */
type Mishap = 'exit' | 'stall';

interface Started {
  readonly service: ServiceProcess;
  cause(mishap: Mishap): void;
  happened(mishap: Mishap): boolean;
}

/**
 * The service, with a module in its worker threads that makes one end or stall when a file says so, until the end of the
 * test if nothing else is given.
 */
async function startFragile(env: Record<string, string> = {}, atEnd: AtEnd = onTestFinished): Promise<Started> {
  const directory = mkdtempSync(join(tmpdir(), 'fragile-'));
  const fileOf = (mishap: Mishap): string => join(directory, mishap);
  const preload = join(directory, 'fragile.mjs');
  writeFileSync(
    preload,
    `import { existsSync, unlinkSync } from 'node:fs';
    import { isMainThread, workerData } from 'node:worker_threads';
    // Other threads are told more.
    const answersBatches = !isMainThread && Object.keys(workerData ?? {}).join() === 'gate';
    // Of two threads that see the file at once, it happens to the one that removes it (rmSync tells both that they did).
    const due = (file) => {
      try {
        return existsSync(file) && (unlinkSync(file), true);
      } catch {
        return false;
      }
    };
    if (answersBatches) {
      const now = performance.now.bind(performance);
      performance.now = () => {
        if (due(${JSON.stringify(fileOf('exit'))})) process.exit(1);
        if (due(${JSON.stringify(fileOf('stall'))})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${STALL_MS});
        return now();
      };
    }`,
  );
  const service = await startService(datasetsDir, {
    NODE_OPTIONS: `--import ${pathToFileURL(preload).href}`,
    WORKER_THREADS: '2',
    ...env,
  });
  atEnd(async () => {
    service.signal('SIGTERM');
    await service.exited;
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    service,
    cause: (mishap) => writeFileSync(fileOf(mishap), ''),
    happened: (mishap) => !existsSync(fileOf(mishap)),
  };
}

/** A search of its own, that no cache has. */
const nearby = (turn: number, radius = 5, limit = 25): string =>
  `/v1/nearby?lat=${38.8 + turn / 10_000}&lng=-77.0&radius=${radius}&limit=${limit}`;

test('a worker thread that ends under load fails only its own searches, with 503, and is replaced', async () => {
  const { service, cause, happened } = await startFragile();
  const [requests, parallel] = [300, 8];
  const statuses: number[] = [];
  const ask = async (first: number): Promise<void> => {
    for (let turn = first; turn < requests; turn += parallel) {
      if (turn === 100) cause('exit');
      const response = await service.fetch(nearby(turn));
      await response.arrayBuffer();
      statuses[turn] = response.status;
      if (response.status === 503) expect(response.headers.get('retry-after')).toBe('1');
    }
  };
  await Promise.all(Array.from({ length: parallel }, (_, first) => ask(first)));
  expect(happened('exit')).toBe(true);
  const failed = statuses.filter((status) => status === 503).length;
  expect(failed).toBeGreaterThanOrEqual(1);
  expect(failed).toBeLessThanOrEqual(parallel);
  expect(statuses.filter((status) => status === 200)).toHaveLength(requests - failed);
  await service.logLine({ level: 'error', msg: 'a worker thread failed' });
  const metrics = await service.fetch('/metrics', { headers: { Accept: 'text/plain' } });
  expect(await metrics.text()).toContain('tract_context_restarts_total{part="worker_thread"} 1\n');
});

test('a search that takes too long is a 503 with Retry-After, and the next one is answered', async () => {
  const { service, cause } = await startFragile({ QUERY_TIMEOUT_MS: '2000' });
  // The first waits for a thread to start, which takes a busy machine long.
  await eventually(async () => expect((await service.fetch(nearby(1))).status).toBe(200));
  cause('stall');
  const overdue = await service.fetch(nearby(2));
  expect([overdue.status, overdue.headers.get('retry-after')]).toEqual([503, '1']);
  expect((await service.fetch(nearby(3))).status).toBe(200);
});

describe('with one thread', () => {
  let started: Started | undefined;
  const served = (): Started => started ?? expect.fail('the service has been started');
  const ends: Parameters<AtEnd>[0][] = [];

  beforeAll(async () => {
    const env = { WORKER_THREADS: '1', CACHE_MAX_SIZE: '0' };
    started = await startFragile(env, (end) => void ends.push(end));
  });

  afterAll(async () => {
    for (const end of ends) await end();
  });

  test('concurrent searches get the same answers as single ones', async () => {
    const { service } = served();
    const [requests, parallel] = [rounds(192, 1024), 64];
    // From one tract to a hundred, which is 14 KB.
    const bodyOf = async (turn: number): Promise<string> => {
      const response = await service.fetch(nearby(turn, 50, 1 + ((turn * 37) % 100)));
      expect(response.status).toBe(200);
      return response.text();
    };
    const together: string[] = [];
    const ask = async (first: number): Promise<void> => {
      for (let turn = first; turn < requests; turn += parallel) together[turn] = await bodyOf(turn);
    };
    await Promise.all(Array.from({ length: parallel }, (_, first) => ask(first)));
    const others: number[] = [];
    for (let turn = 0; turn < requests; turn++) if (together[turn] !== (await bodyOf(turn))) others.push(turn);
    expect(others).toEqual([]);
    expect(new Set(together).size).toBe(requests);
  });

  test('a queued search is dropped when its client disconnects', async () => {
    const { service, cause, happened } = served();
    expect((await service.fetch(nearby(1))).status).toBe(200);
    cause('stall');
    const stalled = service.fetch(nearby(2));
    await eventually(() => expect(happened('stall')).toBe(true));
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(`GET ${nearby(3)} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${TEST_KEY}\r\n\r\n`, () => socket.destroy());
    const line = await service.logLine({ status: 499 });
    expect(line).toMatchObject({ route: '/v1/nearby', aborted: true });
    expect((await stalled).status).toBe(200);
    expect((await service.fetch(nearby(3))).status).toBe(200);
  });
});
