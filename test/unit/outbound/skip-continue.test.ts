import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { skipContinue } from '../../../src/outbound/skip-continue.js';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

/** What a socket that has received these packets reads until there is no more. */
function readAll(...packets: readonly string[]): string[] {
  const waiting = packets.map((packet) => Buffer.from(packet));
  const socket = { read: () => waiting.shift() ?? null };
  skipContinue(socket as unknown as Socket);
  const texts: string[] = [];
  for (let chunk: unknown = socket.read(); chunk !== null; chunk = socket.read()) texts.push(String(chunk));
  return texts;
}

test('every answer of a connection may come after a 100 Continue, in its packet or in one of its own', () => {
  const answers = Array.from({ length: 40 }, (_, at) => `HTTP/1.1 204 No Content\r\nX-At: ${at}\r\n\r\n`);
  expect(readAll(...answers.flatMap((answer) => [CONTINUE, answer]))).toEqual(answers);
  expect(readAll(...answers.map((answer) => CONTINUE + answer))).toEqual(answers);
});

test('of more than 16 in a row the rest are not skipped', () => {
  expect(readAll(CONTINUE.repeat(18))).toEqual([CONTINUE.repeat(2)]);
});

test('a 100 Continue is skipped wherever it is cut into packets, and its answer is not', () => {
  const answer = 'HTTP/1.1 204 No Content\r\n\r\n';
  for (const skipped of [CONTINUE, 'HTTP/1.1 100\r\nX-Of: proxy\r\n\r\n'.repeat(2)]) {
    const sent = `${skipped}${answer}`;
    for (let at = 1; at < sent.length; at++) expect(readAll(sent.slice(0, at), sent.slice(at)).join('')).toBe(answer);
    expect(readAll(...sent).join('')).toBe(answer);
  }
});

test.each(['HTTP/1.1 200 OK\r\n', 'HTTP/1.1 1000\r\n\r\n', `HTTP/1.1 100 ${'x'.repeat(5000)}`])(
  'what is no 100 Continue, or has no end, is not held back: %.20s',
  (sent) => {
    expect(readAll(sent)).toEqual([sent]);
  },
);
