import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, existsSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { WITHIN_MS } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { variants } from '../support/rounds.js';
import { PROGRAM } from '../support/run-program.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset } from '../support/tiny-dataset.js';

const SCRIPT = '/usr/bin/script';
const WAIT = { timeout: WITHIN_MS, interval: 50 };

let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

/** Runs a command of the shell in which `$@` serves, and gives what asks the service whether it is well. */
async function serveIn(command: string, processes: string): Promise<() => Promise<number>> {
  const datasetsDir = temporaryDirectory();
  publishTinyDataset(datasetsDir);
  const port = await freePort();
  const serve = [process.execPath, PROGRAM, 'serve', '--datasets', datasetsDir, '--port', String(port)];
  const env = {
    API_KEYS: 'a-key-for-tests',
    ADMIN_PORT: '0',
    STATE_DIR: temporaryDirectory(),
    PROCESSES: processes,
  };
  child = spawn('sh', ['-c', command, 'sh', ...serve], { env, stdio: 'ignore' });
  const health = async (): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(5000) })).status;
  await vi.waitFor(async () => expect(await health()).toBe(200), WAIT);
  return health;
}

/** A named pipe that somebody has open for reading, and a function that fills it, as nobody does read. */
function unreadPipe(): { readonly path: string; fill(): void } {
  const path = join(temporaryDirectory(), 'pipe');
  spawnSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(fd));
  const fill = (): void => {
    for (const chunk of [Buffer.alloc(4096), Buffer.alloc(1)]) {
      expect(() => {
        for (;;) writeSync(fd, chunk);
      }).toThrow('EAGAIN');
    }
  };
  return { path, fill };
}

test.runIf(existsSync('/dev/full')).each(variants(['1'], ['2']))(
  '%s process(es) keep serving, and stop cleanly, if the log’s disk is full',
  async (processes) => {
    const health = await serveIn('exec "$@" > /dev/full 2>&1', processes);
    for (let request = 0; request < 20; request++) expect(await health()).toBe(200);
    const exited = child ? once(child, 'exit') : [];
    child?.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  },
);

test.each(variants(['2'], ['1']))(
  '%s process(es) keep serving, and stop cleanly, if the log’s reader has stopped',
  async (processes) => {
    const { path, fill } = unreadPipe();
    const health = await serveIn(`exec "$@" > ${path} 2>&1`, processes);
    fill();
    for (let request = 0; request < 20; request++) expect(await health()).toBe(200);
    const exited = child ? once(child, 'exit') : [];
    child?.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  },
);

test.runIf(existsSync(SCRIPT)).each(variants(['2'], ['1']))(
  '%s process(es) end when their terminal is closed',
  async (processes) => {
    const health = await serveIn(`exec ${SCRIPT} --quiet --command "$(printf "'%s' " "$@")" /dev/null`, processes);
    child?.kill('SIGKILL');
    await vi.waitFor(() => expect(health()).rejects.toThrow('fetch failed'), WAIT);
  },
);
