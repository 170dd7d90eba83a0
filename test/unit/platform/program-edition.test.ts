import { expect, test } from 'vitest';
import { programEdition } from '../../../src/platform/program-edition.js';

test('names the program by the same text each time', () => {
  expect(programEdition()).toMatch(/^[\w-]{22}$/);
  expect(programEdition()).toBe(programEdition());
});
