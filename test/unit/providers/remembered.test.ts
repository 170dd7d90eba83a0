import { expect, test } from 'vitest';
import { remembered } from '../../../src/load/providers/text/remembered.js';

test('a text that comes again is not worked on again, though nothing came of it', () => {
  const asked: string[] = [];
  const firstLetter = remembered((text) => {
    asked.push(text);
    return text === '' ? null : text.slice(0, 1);
  });
  expect(['MD', '', 'MD', 'DO', ''].map(firstLetter)).toEqual(['M', null, 'M', 'D', null]);
  expect(asked).toEqual(['MD', '', 'DO']);
});

test('more texts than can be remembered get what is theirs all the same, and are forgotten', () => {
  const asked: string[] = [];
  const length = remembered((text) => {
    asked.push(text);
    return text.length;
  });
  const texts = Array.from({ length: 40_000 }, (_, index) => 'x'.repeat(index % 7) + index);
  for (const text of [...texts, ...texts]) if (length(text) !== text.length) throw new Error(text);
  expect(asked.length).toBeGreaterThan(40_000);
});
