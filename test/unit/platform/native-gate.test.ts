import { expect, test } from 'vitest';
import { startThreadBehindGate } from '../../../src/platform/native-gate.js';

test('a thread that fails when nobody listens any more does not end the process', async () => {
  const { thread, end } = startThreadBehindGate(new URL('data:text/javascript,throw new Error("late")'), {});
  const exited = new Promise((resolve) => thread.once('exit', resolve));
  expect(await exited).toBe(1);
  await end();
});
