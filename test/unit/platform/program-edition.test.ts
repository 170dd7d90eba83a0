import { expect, test } from 'vitest';
import { programEdition } from '../../../src/platform/program-edition.js';

test('the edition is 22 characters, and the same on every call', () => {
  expect(programEdition()).toMatch(/^[\w-]{22}$/);
  expect(programEdition()).toBe(programEdition());
});
