import { cleanText } from './clean-text.js';
import { capitalize } from './letter-case.js';
import { remembered } from './remembered.js';

/** Degrees that are written in mixed case. */
const MIXED: ReadonlyMap<string, string> = new Map(
  ['PhD', 'PharmD', 'PsyD', 'EdD', 'DrPH', 'ScD', 'BPharm', 'MEd', 'MSEd', 'AuD', 'EdS'].map((degree) => [
    degree.toUpperCase(),
    degree,
  ]),
);

/** Longer words are not abbreviations: `PHYSICIAN ASSISTANT`. */
const LONGEST_ABBREVIATION = 7;

/** `M.D.` as `MD`, `A.R.N.P., PMHNP-BC` as `ARNP, PMHNP-BC`; null if there is none. */
export const normalizeCredential = remembered((text): string | null => {
  const parts = cleanText(text)
    // Single letters with full stops and spaces between them, as in `M. D.`, are one abbreviation.
    .replace(/\.\s*(?=\p{L}\.)/gu, '')
    .replaceAll('.', '')
    .split(/[,;/]+/)
    .flatMap(degreesOf);
  return parts.join(', ') || null;
});

function degreesOf(text: string): string[] {
  const words = text.split(' ').filter((word) => /[\p{L}\d]/u.test(word));
  if (words.length === 0) return [];
  const abbreviated = words.every((word) => word.length <= LONGEST_ABBREVIATION);
  if (abbreviated) return words.map((word) => MIXED.get(word.toUpperCase()) ?? word.toUpperCase());
  return [words.map((word) => (word.includes('-') ? word.toUpperCase() : capitalize(word))).join(' ')];
}
