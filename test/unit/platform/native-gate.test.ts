import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { createNativeGate, shutNativeGate, startThreadBehindGate } from '../../../src/platform/native-gate.js';

/** Built by `npm test` before it runs. */
const BUILT_GATE = new URL('../../../dist/src/platform/native-gate.js', import.meta.url).href;

test('a thread waits at a shut gate, as one that may be terminated, until all who have shut it open it again', async () => {
  const gate = createNativeGate(0);
  const openFirst = await shutNativeGate(gate);
  const source = `
    import { parentPort, workerData } from 'node:worker_threads';
    import { native, passNativeGate } from '${BUILT_GATE}';
    passNativeGate(workerData);
    parentPort.postMessage('at the gate');
    parentPort.postMessage(native(() => 'through'));`;
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), { workerData: gate });
  onTestFinished(() => void thread.terminate());
  await once(thread, 'message');
  // It tells before it comes to the gate.
  await delay(100);
  const startedAtMs = performance.now();
  const openSecond = await shutNativeGate(gate);
  // Whoever is inside is waited for, up to ten seconds.
  expect(performance.now() - startedAtMs).toBeLessThan(5_000);
  const through = once(thread, 'message');
  openFirst();
  expect(await Promise.race([through, delay(100, 'waiting')])).toBe('waiting');
  openSecond();
  expect(await through).toEqual(['through']);
});

test('a thread that fails when nobody listens any more does not end the process', async () => {
  const { thread, end } = startThreadBehindGate(new URL('data:text/javascript,throw new Error("late")'), {});
  const exited = new Promise((resolve) => thread.once('exit', resolve));
  expect(await exited).toBe(1);
  await end();
});
