import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { type Channel, createLink, LinkError } from '../../../src/processes/link.js';
import { defineQuestion, nothing } from '../../../src/processes/question.js';

const DOUBLE = defineQuestion({ name: 'double', input: z.number(), output: z.number(), timeoutMs: 1000 });
const PING = defineQuestion({ name: 'ping', input: nothing, output: nothing, timeoutMs: 1000 });

/** Two ends of a channel, as between two processes: what is sent arrives as a copy, later. */
function channelPair() {
  const ends = [new EventEmitter(), new EventEmitter()] as const;
  const channel = (own: EventEmitter, other: EventEmitter): Channel => ({
    isConnected: () => true,
    send: (message) => {
      const copy = JSON.stringify(message);
      setImmediate(() => other.emit('message', JSON.parse(copy)));
    },
    onMessage: (listener) => {
      own.on('message', listener);
    },
    onClose: (listener) => {
      own.once('close', listener);
    },
  });
  return {
    one: createLink(channel(ends[0], ends[1])),
    other: createLink(channel(ends[1], ends[0])),
    /** What else is sent over the same channel to `other`. */
    disturb: (message: unknown) => ends[1].emit('message', message),
    close: () => {
      for (const end of ends) end.emit('close');
    },
  };
}

test('either side can ask, and each question gets its own answer', async () => {
  const { one, other } = channelPair();
  one.answer(DOUBLE, (input) => input * 2);
  other.answer(DOUBLE, async (input) => input * 20);
  expect(await Promise.all([1, 2, 3].map((input) => one.ask(DOUBLE, input)))).toEqual([20, 40, 60]);
  expect(await other.ask(DOUBLE, 4)).toBe(8);
});

test('a question that nobody answers, or whose handler fails, is rejected with the reason', async () => {
  const { one, other } = channelPair();
  await expect(one.ask(PING, null)).rejects.toThrow(new LinkError('ping: nothing answers ping here'));
  other.answer(DOUBLE, () => Promise.reject(new Error('no numbers today')));
  await expect(one.ask(DOUBLE, 1)).rejects.toThrow(new LinkError('double: no numbers today'));
});

test('input and output that do not match the question’s schemas are rejected', async () => {
  const { one, other } = channelPair();
  const handler = vi.fn((input: number) => input);
  other.answer(DOUBLE, handler);
  const wrong = defineQuestion({ name: 'double', input: z.string(), output: z.string(), timeoutMs: 1000 });
  await expect(one.ask(wrong, 'one')).rejects.toThrow(LinkError);
  expect(handler).not.toHaveBeenCalled();
  other.answer(wrong, () => 'two');
  await expect(one.ask(DOUBLE, 1)).rejects.toThrow(LinkError);
  await expect(one.ask({ ...DOUBLE, input: z.number() }, 1)).rejects.toThrow(/double/);
});

test('a question without an answer in time is rejected, and a late answer is ignored', async () => {
  const { one, other } = channelPair();
  const hasty = { ...PING, timeoutMs: 5 };
  let answer = (): void => {};
  other.answer(hasty, () => new Promise((resolve) => (answer = () => resolve(null))));
  await expect(one.ask(hasty, null)).rejects.toThrow(new LinkError('ping: no answer within 5 ms'));
  answer();
  other.answer(PING, () => null);
  expect(await one.ask(PING, null)).toBeNull();
});

test('when the other process is gone, open and further questions are rejected', async () => {
  const { one, other, close } = channelPair();
  other.answer(PING, () => new Promise(() => {}));
  const open = one.ask(PING, null);
  close();
  await expect(open).rejects.toThrow(new LinkError('ping: the other process is gone'));
  await expect(one.ask(PING, null)).rejects.toThrow(new LinkError('ping: the other process is gone'));
  await one.closed;
});

test('no timer is left of a question that is over, however it ended: it would keep the process from ending', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { one, other, close } = channelPair();
  other.answer(DOUBLE, (input) => input * 2);
  expect(await one.ask(DOUBLE, 1)).toBe(2);
  await expect(one.ask(PING, null)).rejects.toThrow('nothing answers ping here');
  other.answer(PING, () => new Promise(() => {}));
  const open = one.ask(PING, null);
  expect(vi.getTimerCount()).toBe(1);
  close();
  await expect(open).rejects.toThrow('the other process is gone');
  expect(vi.getTimerCount()).toBe(0);
});

test('over a channel that is closed already, every question is rejected at once', async () => {
  const ignore = (): void => {};
  const link = createLink({ isConnected: () => false, send: ignore, onMessage: ignore, onClose: ignore });
  await expect(link.ask(PING, null)).rejects.toThrow(new LinkError('ping: the other process is gone'));
  await link.closed;
});

test('other messages on the same channel are ignored', async () => {
  const { one, other, disturb } = channelPair();
  other.answer(DOUBLE, (input) => input * 2);
  for (const message of [null, 'collect', {}, { kind: 'question' }, { kind: 'answer', id: 99, output: 1 }])
    disturb(message);
  expect(await one.ask(DOUBLE, 2)).toBe(4);
});
