import { execFileSync } from 'node:child_process';
import { Agent } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startService } from '../support/service-process.js';
import { statusOver } from '../support/status-over.js';
import { publishedTinyDirectory } from '../support/tiny-dataset.js';

const isLinux = process.platform === 'linux';

test.runIf(isLinux)('searches work again when there are file descriptors again, from the first second on', async () => {
  const { url, pid, signal, exited } = await startService(publishedTinyDirectory());
  // For another connection there may be no descriptor.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(async () => {
    agent.destroy();
    signal('SIGKILL');
    await exited;
  });
  expect(await statusOver(agent, `${url}/health`)).toBe(200);
  const limit = (most: number): Buffer => execFileSync('prlimit', ['--pid', String(pid), `--nofile=${most}:`]);
  const nearby = `${url}/v1/nearby?lat=39&lng=-75`;
  limit(3);
  // Where the machine is slow, the first thread was there before.
  expect([200, 503]).toContain(await statusOver(agent, nearby));
  limit(1000);
  await eventually(async () => expect(await statusOver(agent, nearby)).toBe(200));
});
