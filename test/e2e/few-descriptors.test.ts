import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createAdminClient } from '../../src/admin/client.js';
import { eventually } from '../support/eventually.js';
import { startService } from '../support/service-process.js';
import { statusOver } from '../support/status-over.js';
import { publishedTinyDirectory } from '../support/tiny-dataset.js';

const TOKEN = 'a-token-for-tests';
const isLinux = process.platform === 'linux';

/** Sets how many file descriptors a process may have; those beyond it that it has stay open. */
const limitDescriptors = (pid: number, most: number): Buffer =>
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${most}:`]);

test.runIf(isLinux)('searches work again within a second once file descriptors are available', async () => {
  const { url, pid, signal, exited } = await startService(publishedTinyDirectory());
  // For another connection there may be no descriptor.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(async () => {
    agent.destroy();
    signal('SIGKILL');
    await exited;
  });
  expect(await statusOver(agent, `${url}/health`)).toBe(200);
  const nearby = `${url}/v1/nearby?lat=39&lng=-75`;
  limitDescriptors(pid, 3);
  // Where the machine is slow, the first thread was there before.
  expect([200, 503]).toContain(await statusOver(agent, nearby));
  limitDescriptors(pid, 1000);
  await eventually(async () => expect(await statusOver(agent, nearby)).toBe(200));
});

test.runIf(isLinux)(
  'the admin plane works again even if there was no file descriptor for its first request',
  async () => {
    const env = { ADMIN_TOKEN: TOKEN };
    const { pid, logLine, signal, exited } = await startService(publishedTinyDirectory(), env);
    const url = String((await logLine({ event: 'admin-listening' })).url);
    const open = (): number => readdirSync(`/proc/${pid}/fd`).length;
    const before = open();
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    onTestFinished(async () => {
      socket.destroy();
      signal('SIGKILL');
      await exited;
    });
    // The service has accepted the connection: without descriptors it could not.
    await eventually(() => expect(open()).toBeGreaterThan(before));
    limitDescriptors(pid, 3);
    const token = `Authorization: Bearer ${TOKEN}`;
    socket.write(['GET /system.status HTTP/1.1', 'Host: localhost', token, 'Connection: close', '', ''].join('\r\n'));
    await text(socket);
    limitDescriptors(pid, 1000);
    const admin = createAdminClient({ url, token: TOKEN });
    await eventually(async () => expect((await admin.system.status.query()).pid).toBe(pid));
  },
);
