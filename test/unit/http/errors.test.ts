import { expect, test } from 'vitest';
import { errorAnswer } from '../../../src/http/answer.js';
import { ApiError, ERROR_STATUS, type ErrorCode, toApiError } from '../../../src/http/errors.js';
import { PoolError } from '../../../src/pool/request.js';

const bodyOf = (error: ApiError): unknown => JSON.parse(String(errorAnswer(error).body));

test.each(Object.entries(ERROR_STATUS))('%s is answered %i in the shape of all errors', (code, status) => {
  const error = new ApiError(code as ErrorCode, 'why');
  expect(errorAnswer(error)).toMatchObject({ status, cacheControl: 'no-store' });
  expect(bodyOf(error)).toEqual({ error: true, status_code: status, detail: 'why' });
});

test('an error meant for the client is passed on unchanged', () => {
  const error = new ApiError('not_found', 'Tract 01001020100 not found.');
  expect(toApiError(error)).toBe(error);
});

test.each([
  new Error('SELECT 12 Main St'),
  new TypeError('x'),
  'text',
  undefined,
  { status: 404 },
  new URIError('12 Main St'),
])('an unexpected error is a 500 that says nothing of it: %s', (thrown) => {
  expect(bodyOf(toApiError(thrown))).toEqual({ error: true, status_code: 500, detail: 'Internal server error.' });
});

test.each(['queue-full', 'deadline', 'stopped'] as const)(
  'a pool that gives no answer (%s) is a 503 to come back after',
  (code) => {
    expect(toApiError(new PoolError(code))).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
  },
);

test('a path parameter that cannot be decoded is a 400 that does not repeat it', () => {
  const thrown = Object.assign(new URIError("Failed to decode param '%ff'"), { status: 400 });
  expect(toApiError(thrown)).toMatchObject({ status: 400, detail: 'The URL holds malformed percent-encoding.' });
});
