import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanText } from '../../../src/load/providers/text/clean-text.js';

/** What a clean text is, step by step and without a shortcut. */
function cleanedStepByStep(text: string): string {
  const clean = text
    .replaceAll('&amp;', '&')
    .replace(/&#(\d{1,6});/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return clean.toUpperCase() === '<UNAVAIL>' ? '' : clean;
}

test('cleaning a text gives the same result whether or not it looks clean', () => {
  const pieces = [
    'A',
    'b',
    '1',
    '~',
    '-',
    '%',
    '"',
    "'",
    ' ',
    '  ',
    '\t',
    '\u00a0',
    '\u200b',
    'ñ',
    '&amp;',
    '&#241;',
    '<',
  ];
  const text = fc.array(fc.constantFrom(...pieces, '<UNAVAIL>', '<unavail>', '\u007f'), { maxLength: 6 });
  fc.assert(
    fc.property(text, (found) => {
      expect(cleanText(found.join(''))).toBe(cleanedStepByStep(found.join('')));
    }),
    { numRuns: 2000 },
  );
});
