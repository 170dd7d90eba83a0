import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startAdministered } from '../support/administered-service.js';
import { publishedTinyDirectory } from '../support/tiny-dataset.js';

const KILLS = 20;
const KILL_EVERY_MS = 1500;

test(`a revoked key opens no process, while ${KILLS} are killed and replaced`, async () => {
  const service = await startAdministered(publishedTinyDirectory(), { PROCESSES: '2' });
  onTestFinished(service.kill);
  let victim = Number((await service.logLine({ event: 'dataset' })).pid);
  let kills = 0;
  const killing = (async () => {
    for (; kills < KILLS; kills++) {
      await delay(KILL_EVERY_MS);
      const before = service.logLength();
      process.kill(victim, 'SIGKILL');
      victim = Number((await service.logLine({ event: 'process-replaced' }, before)).pid);
    }
  })();
  let [revoked, opened] = [0, 0];
  while (kills < KILLS) {
    const { id, key } = await service.admin.keys.issue.mutate({ name: 'short' });
    await service.admin.keys.revoke.mutate({ id });
    revoked++;
    for (let at = 0; at < 8; at++) {
      const status = await service.statusOf(key).catch(() => undefined);
      if (status === 200) opened++;
    }
  }
  await killing;
  expect({ opened, enough: revoked > KILLS }).toEqual({ opened: 0, enough: true });
});
