import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeProblem } from '../../../src/admin/input-problems.js';

test.each([
  ['must be more than 0', z.int().positive(), 0],
  ['must be at least 0', z.int().nonnegative(), -1],
  ['must be less than 0', z.int().negative(), 0],
  ['must be at most 0', z.int().nonpositive(), 1],
  ['must be more than 0', z.bigint().positive(), 0n],
])('a number beyond a bound %s', (told, schema, value) => {
  expect(schema.safeParse(value).error?.issues.map(describeProblem)).toEqual([told]);
});
