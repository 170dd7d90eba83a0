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
