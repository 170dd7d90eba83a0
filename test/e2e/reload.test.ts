import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { childrenOf } from '../../bench/lib/process-tree.js';
import { currentPath, generationPath, setCurrent } from '../../src/catalog/directory/generations.js';
import { PREAMBLE } from '../../src/format/layout.js';
import { TRACTS_FILE } from '../../src/format/tracts-file.js';
import { administer } from '../support/administered-service.js';
import { WITHIN_MS } from '../support/eventually.js';
import { startFakeServer } from '../support/fake-server.js';
import { startLoad } from '../support/generation-load.js';
import { resourcesOf } from '../support/process-resources.js';
import { rounds, variants } from '../support/rounds.js';
import { runProgram } from '../support/run-program.js';
import { type ServiceProcess, startService, TEST_KEY } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset, TINY_TRACTS } from '../support/tiny-dataset.js';

const WAIT = { timeout: WITHIN_MS, interval: 20 };
/** Moments of a reload at which the service is stopped: from its beginning until it has long come to its end. */
const STOPS_MS = variants([100], [50, 75, 125, 150, 175, 200, 225, 250, 275, 300, 325, 350, 375, 400]);
const TRACT = `/v1/tracts/${TINY_TRACTS[0]?.geoid}`;
const PEOPLE = TINY_TRACTS[0]?.values[0] ?? 0;

let template: string;
let first: string;
let second: string;

beforeAll(() => {
  template = mkdtempSync(join(tmpdir(), 'generations-'));
  first = publishTinyDataset(template);
  second = publishTinyDataset(template, 1);
});

afterAll(() => rmSync(template, { recursive: true }));

interface Served {
  readonly service: ServiceProcess;
  readonly datasetsDir: string;
}

async function serveFirstOf(datasetsDir: string, env: Record<string, string>): Promise<Served> {
  cpSync(template, datasetsDir, { recursive: true });
  setCurrent(datasetsDir, first);
  return { service: await startService(datasetsDir, env), datasetsDir };
}

/** A service on the first of two generations. */
async function serveFirst(env: Record<string, string> = {}): Promise<Served> {
  const { service, datasetsDir } = await serveFirstOf(temporaryDirectory(), env);
  onTestFinished(service.kill);
  return { service, datasetsDir };
}

/**
 * One for several tests, each of which finds the first generation live and both whole: to start one takes longer than
 * most.
 */
function shareFirst(env: Record<string, string> = {}): () => Promise<Served> {
  let shared: Served | undefined;
  beforeAll(async () => {
    shared = await serveFirstOf(mkdtempSync(join(tmpdir(), 'generations-')), env);
  });
  afterAll(async () => {
    await shared?.service.kill();
    if (shared) rmSync(shared.datasetsDir, { recursive: true });
  });
  return async () => {
    if (!shared) throw new Error('the service has been started');
    const { service, datasetsDir } = shared;
    const live = await generationOf(service);
    for (const generation of [first, second].filter((each) => each !== live)) {
      const path = generationPath(datasetsDir, generation);
      rmSync(path, { recursive: true });
      cpSync(generationPath(template, generation), path, { recursive: true });
    }
    setCurrent(datasetsDir, first);
    if (live !== first) await reload(service, { to: first });
    return shared;
  };
}

/** Reloads what is published, and waits for the line of the log that tells of it. */
async function reload(service: ServiceProcess, told: Readonly<Record<string, unknown>>) {
  const behind = service.logLength();
  service.signal('SIGHUP');
  return await service.logLine({ event: 'code' in told ? 'reload-refused' : 'reloaded', ...told }, behind);
}

const generationOf = async (service: ServiceProcess, path = TRACT): Promise<string | null> =>
  (await service.fetch(path)).headers.get('x-dataset-generation');

/** Makes a generation current and waits until it is live and one before is closed. */
async function reloadTo(service: ServiceProcess, datasetsDir: string, generation: string): Promise<void> {
  const closed = (): number => service.output().split('"event":"dataset-closed"').length;
  const before = closed();
  setCurrent(datasetsDir, generation);
  await reload(service, { to: generation });
  await vi.waitFor(() => expect(closed()).toBeGreaterThan(before), WAIT);
}

describe('of one process', () => {
  const served = shareFirst();

  test('the log shows what a reload changed, and that reloading the live generation changed nothing', async () => {
    const { service, datasetsDir } = await served();
    service.signal('SIGHUP');
    await service.logLine({ event: 'reload-unchanged', generation: first });
    setCurrent(datasetsDir, second);
    expect(await reload(service, { from: first, to: second })).toMatchObject({
      changedTracts: 1,
      addedTracts: 0,
      bySection: { demographics: 1, epa_data: 0 },
    });
  });

  test('an ETag of the previous generation gets a new answer and one of the live generation 304, each naming its generation', async () => {
    const { service, datasetsDir } = await served();
    const tag = (await service.fetch(TRACT)).headers.get('etag') ?? '';
    await reloadTo(service, datasetsDir, second);
    const ask = (value: string) => service.fetch(TRACT, { headers: { 'X-API-Key': TEST_KEY, 'If-None-Match': value } });
    const anew = await ask(tag);
    expect([anew.status, anew.headers.get('x-dataset-generation')]).toEqual([200, second]);
    expect((await ask(anew.headers.get('etag') ?? '')).status).toBe(304);
  });

  test('under constant load a reload fails no request, mixes no generations, and changes the ETags', async () => {
    const { service, datasetsDir } = await served();
    const people = new Map([
      [first, PEOPLE],
      [second, PEOPLE + 1],
    ]);
    const load = startLoad(service, people);
    for (const generation of [second, first, second]) {
      const before = load.answers;
      await vi.waitFor(() => expect(load.answers).toBeGreaterThan(before + 50), WAIT);
      await reloadTo(service, datasetsDir, generation);
      expect(await generationOf(service)).toBe(generation);
    }
    await load.stop();
    expect(load.problems).toEqual([]);
    const [older, newer] = [load.tags.get(first), load.tags.get(second)];
    expect([older?.size, newer?.size]).toEqual([3, 3]);
    expect([...(older ?? [])].filter((tag) => newer?.has(tag))).toEqual([]);
  });

  describe('a broken generation is refused with file and section, and the old one stays live', () => {
    test.each<[string, string, (path: string) => void]>([
      ['a flipped bit', 'damaged', (path) => alter(path, (bytes) => bytes.length - 1)],
      ['a file cut off', 'damaged', (path) => truncateSync(path, 5000)],
      ['an older format', 'unsupported-format', (path) => alter(path, () => PREAMBLE.version)],
    ])('%s', async (_, code, spoil) => {
      const { service, datasetsDir } = await served();
      spoil(join(generationPath(datasetsDir, second), TRACTS_FILE));
      setCurrent(datasetsDir, second);
      const { reason } = await reload(service, { code });
      expect(reason).toMatch(new RegExp(`^${second} was not made live; ${first} stays live: tracts\\.tctx`));
      expect(String(reason)).not.toContain(datasetsDir);
      expect(await generationOf(service)).toBe(first);
      expect(resourcesOf(service.pid).datasetMaps.filter((path) => path.includes(second))).toEqual([]);
    });

    test('with its reason in the log and in the audit log, whoever asked for it', async () => {
      const { service, datasetsDir } = await served();
      truncateSync(join(generationPath(datasetsDir, second), TRACTS_FILE), 5000);
      setCurrent(datasetsDir, second);
      const { admin } = await administer(service);
      const behind = service.logLength();
      await expect(admin.datasets.reload.mutate({})).rejects.toThrow('tracts.tctx');
      const { reason } = await service.logLine({ event: 'reload-refused', code: 'damaged' }, behind);
      const [latest] = await admin.system.audit.query({ limit: 1 });
      expect(latest).toMatchObject({ outcome: 'failed', after: { error: 'damaged', reason } });
    });
  });

  test('repeated reloads leak no maps, threads or file descriptors', async () => {
    const { service, datasetsDir } = await served();
    const reload = async (generation: string) => {
      await reloadTo(service, datasetsDir, generation);
      expect(await generationOf(service, '/v1/nearby?lat=45.05&lng=-94.95')).toBe(generation);
      return resourcesOf(service.pid);
    };
    const { threads, fileDescriptors, datasetMaps } = await reload(second);
    for (const generation of [first, second, first, second]) {
      const now = await reload(generation);
      expect(now.datasetMaps).toHaveLength(datasetMaps.length);
      expect(now.datasetMaps.every((path) => path.includes(generation))).toBe(true);
    }
    // After the first, a thread may still have been sorting.
    await vi.waitFor(() => {
      const now = resourcesOf(service.pid);
      expect(now.threads).toBeLessThanOrEqual(threads);
      expect(now.fileDescriptors).toBeLessThanOrEqual(fileDescriptors);
    }, WAIT);
  });
});

test.each(variants([700], [1100]))(
  'with --watch a publication %i ms after the start of two processes is live soon after it; later ones go live without a command, one that lacks a file as soon as it is there, reported once',
  async (delayMs) => {
    const datasetsDir = temporaryDirectory();
    cpSync(template, datasetsDir, { recursive: true });
    setCurrent(datasetsDir, first);
    const starting = startService(datasetsDir, { PROCESSES: '2', WATCH_DATASETS: 'true' });
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    setCurrent(datasetsDir, second);
    const service = await starting;
    onTestFinished(service.kill);
    await vi.waitFor(async () => expect(await generationOf(service)).toBe(second), WAIT);

    const file = join(generationPath(datasetsDir, first), TRACTS_FILE);
    renameSync(file, `${file}.late`);
    setCurrent(datasetsDir, first);
    const { reason } = await service.logLine({ event: 'reload-refused', generation: first });
    expect(reason).toMatch(/^file-missing: .* stays live: tracts\.tctx/);
    // It is tried again meanwhile, in vain.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    renameSync(`${file}.late`, file);
    await service.logLine({ event: 'reloaded', to: first });
    expect(await generationOf(service)).toBe(first);
    expect(service.output().split('reload-refused')).toHaveLength(2);
    const { admin } = await administer(service);
    await vi.waitFor(async () => {
      const reloads = (await admin.system.audit.query()).filter(({ actor }) => actor.name === 'watch');
      // Before them may be that of the first publication.
      expect(reloads.slice(0, 2).map(({ outcome }) => outcome)).toEqual(['done', 'failed']);
    }, WAIT);
  },
);

test('stopping does not wait for a geocoder call that began on the previous generation', async () => {
  const silent = await startFakeServer(() => new Promise(() => {}));
  const { service, datasetsDir } = await serveFirst({
    GEOCODER: 'census',
    CENSUS_URL: silent.url,
    GEOCODER_TIMEOUT_MS: '60000',
    QUERY_TIMEOUT_MS: '60000',
    SHUTDOWN_TIMEOUT_MS: '100',
  });
  const cutOff = service.fetch('/v1/context?address=1+Sample+St%2C+X%2C+DE').catch(() => undefined);
  await silent.received(1);
  setCurrent(datasetsDir, second);
  await reload(service, { to: second });
  const startedAtMs = performance.now();
  service.signal('SIGTERM');
  expect(await service.exited).toBe(0);
  expect(performance.now() - startedAtMs).toBeLessThan(15_000);
  await cutOff;
});

function alter(path: string, offsetIn: (bytes: Buffer) => number): void {
  const bytes = readFileSync(path);
  const offset = offsetIn(bytes);
  bytes[offset] = (bytes[offset] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

test('a SIGHUP during the start is not lost: what was published after the start had looked goes live', async () => {
  const datasetsDir = temporaryDirectory();
  cpSync(template, datasetsDir, { recursive: true });
  setCurrent(datasetsDir, first);
  const child = runProgram(['serve', '--datasets', datasetsDir, '--port', '0'], {
    API_KEYS: TEST_KEY,
    STATE_DIR: temporaryDirectory(),
    PROCESSES: '2',
  });
  const exited = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  const told: unknown[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => told.push(JSON.parse(line)));
  // The first process has looked for a dataset before it starts the others.
  await vi.waitFor(() => expect(childrenOf(child.pid ?? 0)).not.toEqual([]), { ...WAIT, interval: 5 });
  setCurrent(datasetsDir, second);
  child.kill('SIGHUP');
  await vi.waitFor(() => expect(told).toContainEqual(expect.objectContaining({ event: 'reloaded', to: second })), WAIT);
});

describe.each(['1', '2'])('of %s processes', (processes) => {
  test.each(STOPS_MS)('a stop %i ms after the start of a reload does not wait for the reload', async (delayMs) => {
    const { service, datasetsDir } = await serveFirst({ PROCESSES: processes });
    setCurrent(datasetsDir, second);
    service.signal('SIGHUP');
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    const startedAtMs = performance.now();
    service.signal('SIGTERM');
    expect(await service.exited).toBe(0);
    // Threads that nobody ends go after a minute, processes are killed after fifteen seconds.
    expect(performance.now() - startedAtMs).toBeLessThan(14_000);
    const lines = service.output().trim().split('\n');
    expect(lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('of two processes', () => {
  const served = shareFirst({ PROCESSES: '2' });

  /** The generations that answers over connections of their own name. */
  const seen = async (service: ServiceProcess): Promise<Set<string | null>> => {
    const init = { headers: { 'X-API-Key': TEST_KEY, Connection: 'close' } };
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.fetch(TRACT, init)));
    return new Set(answers.map(({ headers }) => headers.get('x-dataset-generation')));
  };

  test('both make the published generation live, or neither does', async () => {
    const { service, datasetsDir } = await served();
    setCurrent(datasetsDir, second);
    await reload(service, { to: second });
    expect(await seen(service)).toEqual(new Set([second]));

    truncateSync(join(generationPath(datasetsDir, first), TRACTS_FILE), 5000);
    setCurrent(datasetsDir, first);
    await reload(service, { code: 'damaged' });
    expect(await seen(service)).toEqual(new Set([second]));
  });

  test('processes start on the same generation while several are published in quick succession', async () => {
    const datasetsDir = temporaryDirectory();
    const published = [0, 1].map((morePeople) => publishTinyDataset(datasetsDir, morePeople));
    rmSync(currentPath(datasetsDir));
    const processes = rounds(2, 3);
    const service = await startService(datasetsDir, { PROCESSES: String(processes) });
    onTestFinished(service.kill);
    await service.logLine({ msg: 'no dataset is published; the first one published will go live' });
    // Processes that looked by themselves, each in its own moment, would see now one and now the other.
    for (let time = 0; time < 100; time++) {
      setCurrent(datasetsDir, published[time % 2] ?? '');
      await new Promise((resolve) => setTimeout(resolve, 7));
    }
    await vi.waitFor(() => expect(service.output().split('"event":"dataset"')).toHaveLength(processes + 1), WAIT);
    const opened = [...service.output().matchAll(/"event":"dataset","generation":"([0-9a-f]{32})"/g)];
    expect(new Set(opened.map(([, generation]) => generation)).size).toBe(1);
    expect(await seen(service)).toEqual(new Set([opened[0]?.[1]]));
  });

  /** Kills one of the two, and gives what waits for a line of the log that tells what comes of it. */
  const killOne = (service: ServiceProcess) => {
    const behind = service.logLength();
    const [pid, ...others] = childrenOf(service.pid);
    expect(others).toHaveLength(1);
    if (pid) process.kill(pid, 'SIGKILL');
    return (event: string) => service.logLine({ event }, behind);
  };

  test('a replacement process answers from the live generation, not from one that is only published', async () => {
    const { service, datasetsDir } = await served();
    setCurrent(datasetsDir, second);
    await killOne(service)('process-replaced');
    expect(await seen(service)).toEqual(new Set([first]));

    await reload(service, { to: second });
    expect(await seen(service)).toEqual(new Set([second]));
  });

  test.each(variants([200], [0]))(
    'a reload %i ms after a process died does not wait for its replacement',
    async (delayMs) => {
      const { service, datasetsDir } = await served();
      const told = killOne(service);
      await told('process-ended');
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      setCurrent(datasetsDir, second);
      const startedAtMs = performance.now();
      await reload(service, { to: second });
      // A question that a process does not hear is given up after ten seconds.
      expect(performance.now() - startedAtMs).toBeLessThan(8000);
      await told('process-replaced');
      await vi.waitFor(async () => expect(await seen(service)).toEqual(new Set([second])), WAIT);
    },
  );
});
