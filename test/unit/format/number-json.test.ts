import { expect, test } from 'vitest';
import { numberJson } from '../../../src/format/number-json.js';

test.each([
  [Number.NaN, 'null'],
  [null, 'null'],
  [undefined, 'null'],
  [0, '0'],
  [-0, '0'],
  [0.1, '0.1'],
  [-77.0364823, '-77.0364823'],
  [1e21, '1e+21'],
])('%d is written as %s', (value, json) => {
  expect(numberJson(value)).toBe(json);
});
