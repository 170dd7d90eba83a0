import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test, vi } from 'vitest';
import { listFiles } from '../../../src/load/files/list-files.js';
import { startCli } from '../../support/cli.js';
import { WITHIN_MS } from '../../support/eventually.js';
import { officialNation } from '../../support/official-nation.js';
import { startOfficialServer } from '../../support/official-server.js';
import { rounds } from '../../support/rounds.js';
import { seededRandom } from '../../support/seeded-random.js';
import { runToEnd } from '../../support/service-process.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const KILLS = rounds(3, 50);

const contentsOf = (dir: string): Record<string, string> =>
  Object.fromEntries(listFiles(dir).files.map((path) => [relative(dir, path), readFileSync(path, 'base64')]));

test('a fetch that is killed repeatedly at random moments ends with the same bytes as an uninterrupted one', async () => {
  const seed = Math.floor(Math.random() * 2 ** 32);
  const random = seededRandom(seed);
  const agencies = await startOfficialServer(officialNation(), {
    fault: () => ({ pieceBytes: 4096, everyMs: 1 }),
  });
  const [whole, killed] = [join(temporaryDirectory(), 'raw'), join(temporaryDirectory(), 'raw')];
  const args = (output: string): string[] => [
    ...['fetch', '--output', output, '--from-mirror', agencies.url, '--states', '09,10,11', '--year', '2023'],
    ...['--trend-years', 'none'],
  ];
  expect(await runToEnd(args(whole), { NO_PROXY: '127.0.0.1' })).toMatchObject({ code: 0 });
  const expected = contentsOf(whole);
  const total = agencies.sentBytes();
  for (let kill = 0; kill < KILLS; kill++) {
    const from = agencies.sentBytes();
    const until = from + random.below(Math.ceil(total / 4));
    const { process: child, result } = startCli(args(killed));
    const asked = agencies.requests.length;
    await vi.waitFor(
      () => {
        const done = agencies.sentBytes() >= until && agencies.requests.length > asked;
        expect(done || child.exitCode !== null).toBe(true);
      },
      { timeout: WITHIN_MS, interval: 1 },
    );
    child.kill('SIGKILL');
    await result;
    // What is there is whole, at any time.
    for (const [path, content] of Object.entries(contentsOf(killed))) {
      expect(content, `seed ${seed}: ${path}`).toBe(expected[path]);
    }
  }
  expect(await runToEnd(args(killed), { NO_PROXY: '127.0.0.1' })).toMatchObject({ code: 0 });
  expect(contentsOf(killed), `seed ${seed}`).toEqual(expected);
}, 120_000);

test('Ctrl-C stops a fetch at once with a message, and the same command continues the download', async () => {
  const path = 'svi.cdc.gov/Documents/Data/2022/csv/states/SVI_2022_US.csv';
  const text = 'x,'.repeat(100_000);
  const agencies = await startOfficialServer(
    { [path]: text },
    { fault: (_path, nth) => (nth === 1 ? { pieceBytes: 50_000, everyMs: 500 } : undefined) },
  );
  const output = join(temporaryDirectory(), 'raw');
  const args = ['fetch', '--output', output, '--from-mirror', agencies.url, '--sources', 'svi'];
  const { process: child, result } = startCli(args);
  await vi.waitFor(() => expect(agencies.sentBytes()).toBeGreaterThan(50_000), { timeout: WITHIN_MS, interval: 5 });
  child.kill('SIGINT');
  expect(await result).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('run the same command again to continue'),
  });
  expect(listFiles(output).files).toEqual([]);
  expect(await startCli(args).result).toMatchObject({ code: 0 });
  expect(agencies.requests.at(-1)).toMatchObject({ status: 206 });
  expect(readFileSync(join(output, 'svi', '2022', 'SVI_2022_US.csv'), 'utf8')).toBe(text);
}, 60_000);
