import { createServer, type RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createAdminClient } from '../../../src/admin/client.js';
import { DEADLINES, deadlineMs } from '../../../src/admin/deadlines.js';
import { listenLocally } from '../../support/listen-locally.js';

/** Much longer than an answer takes on a busy machine, and as far apart. */
const SHORT = { ordinaryMs: 500, receiverMs: 500, wholeDatasetMs: 2_500 };

/** A plane that treats each procedure as it is told, and what was asked of it. */
async function plane(listener: RequestListener) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://localhost').pathname.slice(1));
    listener(request, response);
  });
  const url = `http://127.0.0.1:${await listenLocally(server)}`;
  return { asked, client: createAdminClient({ url, token: 'some-token', deadlines: SHORT }) };
}

const answer = (data: unknown): string => JSON.stringify({ result: { data } });

describe('a plane that takes connections and never answers', () => {
  test('is given up, also by what may take an hour; then nothing was asked to be changed', async () => {
    const { client, asked } = await plane(() => {});
    await expect(client.keys.list.query({})).rejects.toMatchObject({ cause: { mayBeDone: false } });
    await expect(client.datasets.rollback.mutate()).rejects.toMatchObject({ cause: { mayBeDone: false } });
    expect(asked).toEqual(['keys.list', 'system.config']);
  });

  test('may still do what it was asked to change', async () => {
    const { client } = await plane(() => {});
    const change = client.keys.revoke.mutate({ id: '0123456789abcdef' });
    await expect(change).rejects.toMatchObject({ cause: { name: 'NoAnswerError', mayBeDone: true } });
  });

  test('is given up in the middle of an answer, too', async () => {
    const { client } = await plane((_request, response) => response.write('{"result":'));
    await expect(client.keys.list.query({})).rejects.toMatchObject({ cause: { name: 'NoAnswerError' } });
  });
});

describe('a plane whose process ends during a call', () => {
  const endsAt = (ended: string) =>
    plane(({ url = '', socket }, response) => {
      if (url.startsWith(`/${ended}`)) socket.destroy();
      else response.end(answer([]));
    });

  test.each(['keys.revoke', 'datasets.reload'] as const)(
    'may have done what it was asked to change: %s',
    async (name) => {
      const { client } = await endsAt(name);
      const id = '0123456789abcdef';
      const change = name === 'keys.revoke' ? client.keys.revoke.mutate({ id }) : client.datasets.reload.mutate({});
      await expect(change).rejects.toMatchObject({ cause: { name: 'CutOffError', mayBeDone: true } });
    },
  );

  test('has changed nothing if it was asked for nothing yet', async () => {
    const { client } = await endsAt('');
    await expect(client.datasets.reload.mutate({})).rejects.toMatchObject({ cause: { mayBeDone: false } });
    await expect(client.keys.list.query({})).rejects.toMatchObject({
      cause: { name: 'CutOffError', mayBeDone: false },
    });
  });
});

test('what takes whole datasets is waited for for longer, and given up in the end', async () => {
  const later = (ms: number) =>
    plane(({ url = '' }, response) => {
      if (url.startsWith('/system.config')) response.end(answer([]));
      else setTimeout(() => response.end(answer({ removed: [], kept: [], freedBytes: 0 })), ms);
    });
  const patient = await later(2 * SHORT.ordinaryMs);
  expect(await patient.client.datasets.prune.mutate({})).toMatchObject({ freedBytes: 0 });
  expect(patient.asked).toEqual(['system.config', 'datasets.prune']);
  const { client } = await later(1e6);
  await expect(client.datasets.prune.mutate({})).rejects.toMatchObject({ cause: { mayBeDone: true } });
});

test('an ordinary call has some seconds, a ping as long as its receiver, a whole dataset an hour', () => {
  const ms = ['keys.issue', 'webhooks.test', 'datasets.verify'].map((procedure) => deadlineMs(procedure, DEADLINES));
  expect(ms).toEqual([15_000, 30_000, 3_600_000]);
});
