import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { childrenOf } from '../../bench/lib/process-tree.js';
import { currentPath, generationPath, setCurrent } from '../../src/catalog/directory/generations.js';
import { TRACTS_FILE } from '../../src/format/tracts-file.js';
import { type AdministeredService, startAdministered } from '../support/administered-service.js';
import { WITHIN_MS } from '../support/eventually.js';
import { variants } from '../support/rounds.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset } from '../support/tiny-dataset.js';

const WAIT = { timeout: WITHIN_MS, interval: 50 };
/** Enough connections for each process to take some of them. */
const SPREAD = 12;
const MS_PER_DAY = 86_400_000;

interface Served {
  readonly service: AdministeredService;
  readonly datasetsDir: string;
  readonly first: string;
}

async function serveFrom(datasetsDir: string, env: Record<string, string>): Promise<Served> {
  const first = publishTinyDataset(datasetsDir);
  return { service: await startAdministered(datasetsDir, env), datasetsDir, first };
}

async function serve(env: Record<string, string>): Promise<Served> {
  const served = await serveFrom(temporaryDirectory(), env);
  onTestFinished(served.service.kill);
  return served;
}

/** Waits until /metrics has these samples, whichever process answers. */
async function told(service: AdministeredService, samples: Readonly<Record<string, number>>): Promise<void> {
  const lines = Object.entries(samples).map(([name, value]) => `tract_context_${name} ${value}`);
  const seen = async (): Promise<string[]> => {
    const headers = { Accept: 'text/plain', Connection: 'close' };
    const text = await (await fetch(`${service.url}/metrics`, { headers })).text();
    return text.split('\n').filter((line) => lines.includes(line));
  };
  await vi.waitFor(async () => {
    // All are asked only when one tells it: asked again and again, they would have no time for anything else.
    expect((await seen()).sort()).toEqual([...lines].sort());
    const answers = await Promise.all(Array.from({ length: SPREAD }, seen));
    for (const found of answers) expect(found.sort()).toEqual([...lines].sort());
  }, WAIT);
}

describe.each(['1', '2'])('of %s processes, /metrics tells', (processes) => {
  let shared: Served | undefined;
  beforeAll(async () => {
    shared = await serveFrom(mkdtempSync(join(tmpdir(), 'upkeep-')), { PROCESSES: processes });
  });
  afterAll(async () => {
    if (!shared) return;
    await shared.service.kill();
    rmSync(shared.datasetsDir, { recursive: true });
  });
  /** For tests of different figures. */
  const served = (): Served => shared ?? expect.fail('the service has been started');

  test('that what is published is not live, and how reloads by signal and by the admin plane ended', async () => {
    const { service, datasetsDir, first } = served();
    const reloads = (done: number, refused: number) => ({
      'reloads_total{outcome="done"}': done,
      'reloads_total{outcome="refused"}': refused,
    });
    await told(service, { dataset_mismatch: 0, ...reloads(0, 0) });
    const second = publishTinyDataset(datasetsDir, 1);
    await told(service, { dataset_mismatch: 1, ...reloads(0, 0) });
    await service.admin.datasets.reload.mutate({ dryRun: true });
    await told(service, { dataset_mismatch: 1, ...reloads(0, 0) });
    service.signal('SIGHUP');
    await told(service, { dataset_mismatch: 0, ...reloads(1, 0) });

    truncateSync(join(generationPath(datasetsDir, first), TRACTS_FILE), 5000);
    setCurrent(datasetsDir, first);
    await expect(service.admin.datasets.reload.mutate({})).rejects.toThrow('tracts.tctx');
    await told(service, { dataset_mismatch: 1, ...reloads(1, 1) });
    writeFileSync(currentPath(datasetsDir), 'not a name');
    service.signal('SIGHUP');
    await told(service, { dataset_mismatch: 1, ...reloads(1, 2) });
    setCurrent(datasetsDir, second);
    await told(service, { dataset_mismatch: 0, ...reloads(1, 2) });
  });

  test.runIf(process.platform === 'linux')(
    'how many file descriptors each process has, also while its connections ask nothing, and may have',
    async () => {
      const { service } = served();
      const pids = processes === '1' ? [service.pid] : childrenOf(service.pid);
      const open = () => pids.map((pid) => readdirSync(`/proc/${pid}/fd`).length);
      const limitOf = (pid: number) =>
        Number(/^Max open files +(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1]);
      const samples = (text: string, name: string) =>
        [...text.matchAll(new RegExp(`^process_${name}_fds(.*) (\\d+)$`, 'gm'))].map(([, labels, value]) => [
          labels,
          Number(value),
        ]);
      const labels = processes === '1' ? [''] : ['{process="0"}', '{process="1"}'];
      const { hostname, port } = new URL(service.url);
      const sockets = Array.from({ length: SPREAD }, () => connect(Number(port), hostname));
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      await vi.waitFor(async () => {
        const answer = await fetch(`${service.url}/metrics`, {
          headers: { Accept: 'text/plain', Connection: 'close' },
        });
        const text = await answer.text();
        expect(samples(text, 'max')).toEqual(labels.map((label, at) => [label, limitOf(pids[at] ?? 0)]));
        const told = samples(text, 'open');
        expect(told.map(([label]) => label)).toEqual(labels);
        // Give or take the connection that asks.
        for (const [at, count] of open().entries())
          expect(Math.abs(Number(told[at]?.[1]) - count)).toBeLessThanOrEqual(1);
      }, WAIT);
      for (const socket of sockets) socket.destroy();
    },
  );

  test('how many active keys expire within two weeks', async () => {
    const { service } = served();
    const issue = (days: number) =>
      service.admin.keys.issue.mutate({
        name: `${days} days`,
        expiresAt: new Date(Date.now() + days * MS_PER_DAY).toISOString(),
      });
    await issue(15);
    const { id } = await issue(13);
    await told(service, { keys_expiring: 1 });
    await service.admin.keys.revoke.mutate({ id });
    await told(service, { keys_expiring: 0 });
  });

  test.runIf(processes === '2')('how many processes have ended, also one that replaces another', async () => {
    const { service } = served();
    const ended = 'restarts_total{part="process"}';
    await told(service, { [ended]: 0 });
    for (const [at, pid] of childrenOf(service.pid).entries()) {
      const behind = service.logLength();
      process.kill(pid, 'SIGKILL');
      await service.logLine({ event: 'process-replaced' }, behind);
      await told(service, { [ended]: at + 1 });
    }
  });
});

test.each(variants(['2'], ['1']))(
  'of %s processes, /metrics tells how a reload by the watch ended',
  async (processes) => {
    const { service, datasetsDir } = await serve({ PROCESSES: processes, WATCH_DATASETS: 'true' });
    publishTinyDataset(datasetsDir, 1);
    await told(service, { dataset_mismatch: 0, 'reloads_total{outcome="done"}': 1 });
    // Before the watch may see it.
    const elsewhere = temporaryDirectory();
    const damaged = publishTinyDataset(elsewhere, 2);
    truncateSync(join(generationPath(elsewhere, damaged), TRACTS_FILE), 5000);
    cpSync(generationPath(elsewhere, damaged), generationPath(datasetsDir, damaged), { recursive: true });
    setCurrent(datasetsDir, damaged);
    await told(service, { dataset_mismatch: 1, 'reloads_total{outcome="refused"}': 1 });
  },
);
