import { expect, test } from 'vitest';
import { oneDataset, startTestPlane } from '../../support/admin-plane.js';
import { OWNER, prepareDeliveries } from '../../support/deliveries.js';
import { startFakeServer } from '../../support/fake-server.js';
import { publishTinyDataset, TINY_TRACTS } from '../../support/tiny-dataset.js';

test.each(['', 'a\0b', 'x'.repeat(4000)])('an owner that is no key’s id is wrong input: %j', async (owner) => {
  const { admin, state } = await prepareDeliveries();
  const { client } = await startTestPlane({ webhooks: admin, state });
  await expect(client.webhooks.list.query({ owner })).rejects.toMatchObject({
    data: { httpStatus: 400, reason: 'invalid-input' },
  });
});

test('a maintainer sees, tests, pauses, resumes, replays and deletes by the plane; who did it is in the audit log', async () => {
  const deliveries = await prepareDeliveries();
  const { client } = await startTestPlane({ webhooks: deliveries.admin, state: deliveries.state });
  const receiver = await startFakeServer((response) => void response.writeHead(204).end());
  const id = await deliveries.subscribe(receiver.url, { secret: 'geheim', filters: { state_fips: ['27'] } });
  expect(await client.webhooks.list.query()).toMatchObject([{ id, owner: OWNER, state: 'active', hasSecret: true }]);
  expect(await client.webhooks.list.query({ owner: '0123456789abcdef' })).toEqual([]);
  expect(await client.webhooks.test.mutate({ id })).toMatchObject({ arrived: true, status: 204 });
  expect(await client.webhooks.attempts.query({ id })).toEqual({ recent: [], deadLetters: [] });
  expect(await client.webhooks.pause.mutate({ id })).toMatchObject({ state: 'paused' });
  expect(await client.webhooks.resume.mutate({ id })).toMatchObject({ state: 'active' });
  expect(await client.webhooks.replay.mutate({ id })).toEqual({ replayed: 0 });
  expect(await client.webhooks.delete.mutate({ id })).toMatchObject({ id, owner: OWNER });
  expect(await client.webhooks.list.query()).toEqual([]);
  const audit = await client.system.audit.query();
  expect(audit.map(({ action, actor }) => [action, actor.name])).toEqual([
    ['webhooks.delete', 'maintainer'],
    ['webhooks.replay', 'maintainer'],
    ['webhooks.resume', 'maintainer'],
    ['webhooks.pause', 'maintainer'],
  ]);
});

test('refused actions give their reason', async () => {
  const deliveries = await prepareDeliveries({ configured: [] });
  const { client } = await startTestPlane({ webhooks: deliveries.admin });
  const id = await deliveries.subscribe('http://127.0.0.1:1/');
  await expect(client.webhooks.pause.mutate({ id: 99 })).rejects.toMatchObject({
    data: { code: 'NOT_FOUND', reason: 'unknown-subscription' },
  });
  await expect(client.webhooks.replay.mutate({ id, deadLetter: 5 })).rejects.toMatchObject({
    data: { code: 'NOT_FOUND', reason: 'unknown-dead-letter' },
  });
  await expect(client.webhooks.test.mutate({ id })).rejects.toMatchObject({
    data: { code: 'PRECONDITION_FAILED', reason: 'silenced' },
  });
});

test('a dry run of a reload reports how many events each subscription would get, a reload does not', async () => {
  const deliveries = await prepareDeliveries();
  const to = publishTinyDataset(deliveries.datasetsDir);
  const datasets = oneDataset();
  const reload: typeof datasets.reload = async (options) => ({ ...(await datasets.reload(options)), to });
  const { client } = await startTestPlane({ webhooks: deliveries.admin, datasets: { ...datasets, reload } });
  const id = await deliveries.subscribe('http://127.0.0.1:1/', { filters: { state_fips: ['55'] } });
  const counted = TINY_TRACTS.filter(({ geoid }) => geoid.startsWith('55')).length;
  expect(await client.datasets.reload.mutate({ dryRun: true })).toMatchObject({
    deliveries: [{ id, owner: OWNER, state: 'active', events: { 'data.updated': counted, 'threshold.exceeded': 0 } }],
  });
  expect(await client.datasets.reload.mutate()).toMatchObject({ deliveries: null });
});
