import { expect, it } from 'vitest';
import { TYPE_SPELLINGS } from '../../../../src/core/streets/street-types.js';

it('no spelling is one of two street types', () => {
  expect(TYPE_SPELLINGS.filter((word, at) => TYPE_SPELLINGS.indexOf(word) !== at)).toEqual([]);
});
