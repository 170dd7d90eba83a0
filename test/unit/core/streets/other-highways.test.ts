import { expect, test } from 'vitest';
import { withHighwayMended } from '../../../../src/core/streets/other-highways.js';

test.each([
  ['US HYW 89', ['US HWY 89']],
  ['US WY 12 E', ['US HWY 12 E']],
  ['STATE RUOTE 12', ['STATE ROUTE 12']],
  ['BRANCH RD 5', []],
  ['OAK HAY 360', []],
  ['MAIN ROAS 5', []],
  ['89 US HYW', []],
  ['US HYW', []],
])('mends the words of a numbered highway, and of nothing else: %s', (text, mended) => {
  expect(withHighwayMended(text.split(' ')).map((words) => words.join(' '))).toEqual(mended);
});
