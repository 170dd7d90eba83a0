import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.js';
import { variants } from '../support/rounds.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const BENCH = fileURLToPath(new URL('../../dist/bench/main.js', import.meta.url));
const AT_EXIT = new URL('../../dist/bench/lib/at-exit.js', import.meta.url).href;

async function bench(...args: string[]) {
  const child = spawn(process.execPath, [BENCH, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, stdout, stderr };
}

test('a bench of an unreachable service exits with 1 and says so in one line', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const { code, stdout, stderr } = await bench('--url', url, '--key', 'x');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^bench: no service can be reached at http:\/\/127\.0\.0\.1:\d+ \(.*ECONNREFUSED.*\)\n$/);
});

test.each(
  variants<readonly [NodeJS.Signals, number]>(
    [['SIGINT', 130]],
    [
      ['SIGHUP', 129],
      ['SIGTERM', 143],
    ],
  ),
)('a bench that %s ends has printed and written the suites that had ended', async (signal, code) => {
  const directory = temporaryDirectory();
  const [json, markdown] = [join(directory, 'report.json'), join(directory, 'report.md')];
  // Without a dataset, `micro` is skipped at once; `start` then makes a nation, which takes far longer than this test.
  const args = ['micro', 'start', '--dataset', join(directory, 'none'), '--json', json, '--markdown', markdown];
  const env = { ...process.env, TMPDIR: directory };
  const child = spawn(process.execPath, [BENCH, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  for await (const chunk of child.stderr) if (String(chunk).includes('start: making')) child.kill(signal);
  await closed;
  expect(child.exitCode).toBe(code);
  expect(stdout).toContain('### micro\n\nSkipped: no dataset');
  expect(readFileSync(markdown, 'utf8')).toBe(stdout);
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ suites: { micro: { skipped: expect.any(String) } } });
  // Nothing of its own is left.
  expect(readdirSync(directory).sort()).toEqual(['report.json', 'report.md']);
});

test('what the bench has started ends with it, even what would go on when it is told to stop', async () => {
  const goesOn = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up');";
  const starts = `
    import { spawn } from 'node:child_process';
    import { killAtExit } from ${JSON.stringify(AT_EXIT)};
    const child = spawn(process.execPath, ['--eval', ${JSON.stringify(goesOn)}], { stdio: ['ignore', 'pipe', 'inherit'] });
    killAtExit(child);
    child.stdout.once('data', () => process.exit(7));`;
  const bench = spawn(process.execPath, ['--input-type=module', '--eval', starts], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  bench.stderr.resume();
  // Comes once no process has the pipe open any more.
  const [code] = await once(bench, 'close');
  expect(code).toBe(7);
});
