import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startService, TEST_KEY } from '../support/service-process.js';
import { publishedTinyDirectory } from '../support/tiny-dataset.js';

const isLinux = process.platform === 'linux';

/** Over the agent's one connection: for another there may be no descriptor. */
async function statusOf(url: string, agent: Agent): Promise<number | undefined> {
  const sent = get(url, { agent, headers: { 'X-API-Key': TEST_KEY } });
  const [response]: IncomingMessage[] = await once(sent, 'response');
  response?.resume();
  if (response) await once(response, 'end');
  return response?.statusCode;
}

test.runIf(isLinux)('searches work again when there are file descriptors again, from the first second on', async () => {
  const { url, pid, signal, exited } = await startService(publishedTinyDirectory());
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(async () => {
    agent.destroy();
    signal('SIGKILL');
    await exited;
  });
  expect(await statusOf(`${url}/health`, agent)).toBe(200);
  const limit = (most: number): Buffer => execFileSync('prlimit', ['--pid', String(pid), `--nofile=${most}:`]);
  const nearby = `${url}/v1/nearby?lat=39&lng=-75`;
  limit(3);
  // Where the machine is slow, the first thread was there before.
  expect([200, 503]).toContain(await statusOf(nearby, agent));
  limit(1000);
  await eventually(async () => expect(await statusOf(nearby, agent)).toBe(200));
});
