import { createServer } from 'node:http';
import { Server } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openAdminPlane } from '../../../src/admin/plane.js';
import { ADMIN_TOKEN, adminDeps } from '../../support/admin-plane.js';
import { eventually } from '../../support/eventually.js';
import { openKeyWorld } from '../../support/keys.js';
import { listenLocally } from '../../support/listen-locally.js';

test('a plane whose address is taken says so once a minute, however often it tries, and then that it listens', async () => {
  const holder = createServer();
  const port = await listenLocally(holder);
  const world = await openKeyWorld();
  const attempts = vi.spyOn(Server.prototype, 'listen');
  const [onListening, onUnavailable] = [vi.fn(), vi.fn()];
  let nowMs = 0;
  const plane = openAdminPlane(adminDeps(world), {
    host: '127.0.0.1',
    port,
    token: ADMIN_TOKEN,
    hostNames: [],
    events: { refused: vi.fn(), failed: vi.fn(), diskFull: vi.fn() },
    onListening,
    onUnavailable,
    retryMs: 1,
    now: () => nowMs,
  });
  onTestFinished(async () => {
    attempts.mockRestore();
    await plane.close(0);
    await world.close();
  });
  const furtherAttempts = async (): Promise<void> => {
    const before = attempts.mock.calls.length;
    await eventually(() => expect(attempts.mock.calls.length).toBeGreaterThan(before + 3));
  };
  for (const [minute, told] of [
    [0, 1],
    [0.99, 1],
    [1, 2],
    [1.99, 2],
    [2, 3],
  ] as const) {
    nowMs = minute * 60_000;
    await furtherAttempts();
    expect(onUnavailable).toHaveBeenCalledTimes(told);
  }
  expect(onUnavailable).toHaveBeenLastCalledWith(expect.stringContaining('EADDRINUSE'));
  expect(onListening).not.toHaveBeenCalled();
  await new Promise((resolve) => holder.close(resolve));
  await eventually(() => expect(onListening).toHaveBeenCalledExactlyOnceWith(`http://127.0.0.1:${port}`));
});
