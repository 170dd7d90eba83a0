import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createAdminClient } from '../../src/admin/client.js';
import { eventually } from '../support/eventually.js';
import { type Answer, startFakeServer } from '../support/fake-server.js';
import { censusMatchRow, uploadedRows } from '../support/geocoder-answers.js';
import type { AtEnd } from '../support/listen-locally.js';
import { type ServiceProcess, startService, TEST_KEY } from '../support/service-process.js';
import { statusOver } from '../support/status-over.js';
import { publishedTinyDirectory, publishTinyDataset } from '../support/tiny-dataset.js';

const TOKEN = 'a-token-for-tests';
const isLinux = process.platform === 'linux';

/** Sets how many file descriptors a process may have; those beyond it that it has stay open. */
const limitDescriptors = (pid: number, most: number): Buffer =>
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${most}:`]);

/** The answer to a POST of JSON over one of the agent's connections. */
async function postOver(agent: Agent, url: string, headers: Record<string, string>, body: object) {
  const sent = request(url, { agent, method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } });
  sent.end(JSON.stringify(body));
  const [response]: IncomingMessage[] = await once(sent, 'response');
  return response ? { status: response.statusCode, text: await text(response) } : {};
}

describe.runIf(isLinux)(
  'once file descriptors are available again, works what a service begins only when it is asked to',
  () => {
    let service: ServiceProcess | undefined;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ends: Parameters<AtEnd>[0][] = [];
    const served = (): ServiceProcess => service ?? expect.fail('the service has been started');

    // Each needs another thing of which there is none yet: one service does for all.
    beforeAll(async () => {
      const answer: Answer = (response, { body }) => {
        const place = { lat: 45.05, lng: -94.95, matchedAddress: 'A PLACE' };
        const rows = uploadedRows(body).filter((row) => row !== '');
        response.end(rows.map((row) => censusMatchRow(row.split(',')[0] ?? '', place)).join(''));
      };
      const census = await startFakeServer(answer, (end) => void ends.push(end));
      const datasetsDir = mkdtempSync(join(tmpdir(), 'few-descriptors-'));
      publishTinyDataset(datasetsDir);
      ends.push(async () => rmSync(datasetsDir, { recursive: true }));
      const env = { ADMIN_TOKEN: TOKEN, GEOCODER: 'census', CENSUS_URL: census.url };
      service = await startService(datasetsDir, env);
      ends.push(service.kill);
      // For another connection there may be no descriptor.
      expect(await statusOver(agent, `${service.url}/health`)).toBe(200);
    });

    afterAll(async () => {
      agent.destroy();
      for (const end of ends.reverse()) await end();
    });

    test('the thread that searches', async () => {
      const { url, pid } = served();
      const nearby = `${url}/v1/nearby?lat=39&lng=-75`;
      limitDescriptors(pid, 3);
      // Where the machine is slow, the first thread was there before.
      expect([200, 503]).toContain(await statusOver(agent, nearby));
      limitDescriptors(pid, 1000);
      await eventually(async () => expect(await statusOver(agent, nearby)).toBe(200));
    });

    test('the admin plane, at its first request', async () => {
      const { pid, logLine } = served();
      const url = String((await logLine({ event: 'admin-listening' })).url);
      const open = (): number => readdirSync(`/proc/${pid}/fd`).length;
      const before = open();
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname);
      onTestFinished(() => void socket.destroy());
      // The service has accepted the connection: without descriptors it could not.
      await eventually(() => expect(open()).toBeGreaterThan(before));
      limitDescriptors(pid, 3);
      const token = `Authorization: Bearer ${TOKEN}`;
      socket.write(['GET /system.status HTTP/1.1', 'Host: localhost', token, 'Connection: close', '', ''].join('\r\n'));
      await text(socket);
      limitDescriptors(pid, 1000);
      const admin = createAdminClient({ url, token: TOKEN });
      await eventually(async () => expect((await admin.system.status.query()).pid).toBe(pid));
    });

    test('the Census geocoder, at the first batch', async () => {
      const { url, pid } = served();
      const addresses = ['1 Sample Way, Sampleton, MN 55555', '2 Sample Way, Sampleton, MN 55555'];
      const batch = () => postOver(agent, `${url}/v1/batch`, { 'X-API-Key': TEST_KEY }, { addresses });
      expect(await statusOver(agent, `${url}/health`)).toBe(200);
      limitDescriptors(pid, 3);
      expect(await batch()).toMatchObject({ status: 200, text: expect.stringContaining('"failed":2') });
      limitDescriptors(pid, 1000);
      await eventually(async () => expect(await batch()).toMatchObject({ text: expect.stringContaining('A PLACE') }));
    });
  },
);

/** Starts a service with a subscription, and makes calls to its admin plane over one connection that stays open. */
async function startWithSubscription() {
  const { fetch, pid, logLine, signal, exited, kill } = await startService(publishedTinyDirectory(), {
    ADMIN_TOKEN: TOKEN,
  });
  const admin = String((await logLine({ event: 'admin-listening' })).url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(async () => {
    agent.destroy();
    await kill();
  });
  const subscription = JSON.stringify({ url: 'https://hooks.example.org/', events: ['data.updated'] });
  const headers = { 'X-API-Key': TEST_KEY, 'Content-Type': 'application/json', Connection: 'close' };
  expect((await fetch('/v1/webhooks', { method: 'POST', headers, body: subscription })).status).toBe(201);
  const call = (procedure: string) =>
    postOver(agent, `${admin}/${procedure}`, { Authorization: `Bearer ${TOKEN}` }, { id: 1 });
  // Its first request loads what every later one needs.
  await call('webhooks.pause');
  return { pid, signal, exited, agent, call };
}

test.runIf(isLinux)('a webhook can be tested even if there was no file descriptor for the first test', async () => {
  const { pid, call } = await startWithSubscription();
  limitDescriptors(pid, 3);
  expect(await call('webhooks.test')).toMatchObject({ status: 500 });
  expect(await call('webhooks.test')).toMatchObject({ status: 500 });
  limitDescriptors(pid, 1000);
  expect(await call('webhooks.test')).toMatchObject({ status: 200, text: expect.stringContaining('"arrived":false') });
});

test.runIf(isLinux)(
  'the service stops in order even if there was no file descriptor to test a webhook with',
  async () => {
    const { pid, signal, exited, agent, call } = await startWithSubscription();
    limitDescriptors(pid, 3);
    expect(await call('webhooks.test')).toMatchObject({ status: 500 });
    limitDescriptors(pid, 1000);
    agent.destroy();
    signal('SIGTERM');
    expect(await exited).toBe(0);
  },
);
