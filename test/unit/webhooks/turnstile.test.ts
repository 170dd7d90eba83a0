import { expect, test } from 'vitest';
import { createTurnstile } from '../../../src/webhooks/turnstile.js';

test('so many are let through to a host at once, the others in the order in which they came', async () => {
  const turnstile = createTurnstile(2);
  const order: number[] = [];
  expect([turnstile.enter('a'), turnstile.enter('a')]).toEqual([undefined, undefined]);
  const waiting = [1, 2, 3].map((who) => turnstile.enter('a')?.then(() => order.push(who)));
  turnstile.leave('a');
  turnstile.leave('a');
  await Promise.all(waiting.slice(0, 2));
  expect(order).toEqual([1, 2]);
  turnstile.leave('a');
  await waiting[2];
  expect(order).toEqual([1, 2, 3]);
});

test('hosts do not wait for each other, and those who left count no more', () => {
  const turnstile = createTurnstile(1);
  for (let time = 0; time < 3; time++) {
    expect([turnstile.enter('a'), turnstile.enter('b')]).toEqual([undefined, undefined]);
    turnstile.leave('a');
    turnstile.leave('b');
  }
});
