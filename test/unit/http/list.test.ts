import { expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../../../src/http/errors.js';
import { validate } from '../../../src/http/input/validation.js';
import { list } from '../../../src/http/schemas/list.js';

const words = z.object({ words: list(z.string().min(2), { least: 1, description: 'Words.' }) });

function detailOf(input: unknown): unknown {
  try {
    return validate(words, input);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.detail;
  }
}

test('of a list with a hundred thousand wrong items, the first hundred are reported and the others are not checked', () => {
  let looked = 0;
  const item = z.unknown().refine(() => {
    looked++;
    return false;
  });
  const schema = z.object({ items: list(item, { description: 'Items.' }) });
  expect(() => validate(schema, { items: Array.from({ length: 100_000 }, () => 1) })).toThrow(ApiError);
  expect(looked).toBeLessThanOrEqual(200);
});

test('a long list of right items is taken whole', () => {
  const items = Array.from({ length: 20_000 }, (_, at) => `word ${at}`);
  expect(detailOf({ words: items })).toEqual({ words: items });
});

test.each([
  ['a wrong item among right ones, at its place', ['ab', 7, 'cd'], ['words', 1], 'string_type'],
  ['an item that is too short', ['ab', 'c'], ['words', 1], 'string_too_short'],
  ['too few', [], ['words'], 'too_short'],
  ['no list', 'ab', ['words'], 'list_type'],
  ['nothing', undefined, ['words'], 'missing'],
])('%s', (_, given, loc, type) => {
  expect(detailOf({ words: given })).toEqual([{ loc, msg: expect.any(String), type }]);
});
