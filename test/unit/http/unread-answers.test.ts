import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { createUnreadAnswers } from '../../../src/http/sending/unread-answers.js';

const LENGTH = 100_000;
/** Room for two answers of this length, whatever else they take, and not for three. */
const unread = () => createUnreadAnswers(2.5 * LENGTH);

/** A connection, and what is needed of the requests and answers on it. */
function connection() {
  const socket = new PassThrough();
  // Cast, since a real request has far more than the part that is read.
  const request = { socket } as unknown as Request;
  return { socket, request, answer: () => new EventEmitter() as unknown as Response };
}

test('texts count, each for itself: the system is given a copy', () => {
  const { add } = unread();
  const [first, second, third] = [connection(), connection(), connection()];
  const text = 'a'.repeat(LENGTH);
  for (const { request, answer } of [first, second]) add(request, answer(), text);
  expect([first, second].map(({ socket }) => socket.destroyed)).toEqual([false, false]);
  add(third.request, third.answer(), text);
  expect([first, second, third].map(({ socket }) => socket.destroyed)).toEqual([true, false, false]);
});

test('a text counts only until it is sent', () => {
  const { add } = unread();
  const { request, answer, socket } = connection();
  for (let at = 0; at < 10; at++) {
    const response = answer();
    add(request, response, 'a'.repeat(LENGTH));
    response.emit('close');
  }
  expect(socket.destroyed).toBe(false);
});

test('answers without a body count, too', () => {
  const { add } = unread();
  const [idle, other] = [connection(), connection()];
  add(idle.request, idle.answer(), '');
  for (let at = 0; at < LENGTH / 1000; at++) add(other.request, other.answer(), '');
  expect([idle, other].map(({ socket }) => socket.destroyed)).toEqual([true, true]);
});

test('the same bytes count once', () => {
  const { add } = unread();
  const body = Buffer.alloc(LENGTH);
  const all = Array.from({ length: 5 }, connection);
  for (const { request, answer } of all) add(request, answer(), body);
  expect(all.some(({ socket }) => socket.destroyed)).toBe(false);
});
