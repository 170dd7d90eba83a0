import { cleanText, isShouted } from './clean-text.js';
import { capitalize, withDigits } from './letter-case.js';

/** Acronyms with vowels; others are recognized by having none. */
const ACRONYMS = new Set(
  `AAA ABA AIDS APC APRN ASC CHCUSA CORE EMS ENT ER FQHC GI HIV ICU IHS II III IPA IU IV LLLP MDPA NEA OB OBGYN OD OHSU PA
PACE PACU UAB UC UCLA UCSD UCSF UHS UNC UPMC US USA USC UT UW VA VAMC WIC YMCA YWCA`.split(/\s+/),
);

/** Words without vowels that are not acronyms, and abbreviations. */
const WORDS: ReadonlyMap<string, string> = new Map(
  'St Mt Ft Dr Mrs Mr Ms Jr Sr Inc Corp Ltd Co Assoc Ctr Hlth Med Svcs Dept Blvd Rd Ste Dba Psych By Gyms'
    .split(' ')
    .map((word) => [word.toUpperCase(), word]),
);

const SMALL = new Set('A AN AND AT BY FOR FROM IN OF ON THE TO WITH'.split(' '));

const LONGEST_ACRONYM = 5;

/**
 * `DEMO COUNTY HOSPITAL OF THE NORTH, LLC` as `Demo County Hospital of the North, LLC`. Names in mixed case stay as they
 * are. Acronyms stay in capitals: known ones, and short words that have no vowel, have full stops, or are in parentheses.
 */
export function organizationName(text: string): string {
  const clean = cleanText(text);
  if (!isShouted(clean)) return clean;
  return clean
    .split(' ')
    .map((word, index) => writeWord(word, index === 0))
    .join(' ');
}

function writeWord(word: string, isFirst: boolean): string {
  const upper = word.toUpperCase();
  const letters = upper.replace(/[^\p{L}]/gu, '');
  const digits = withDigits(word);
  if (digits !== undefined) return digits;
  if (isAcronym(upper, letters)) return upper;
  const known = WORDS.get(letters);
  if (known !== undefined) return upper.replace(letters, known);
  return SMALL.has(letters) && !isFirst ? word.toLowerCase() : capitalize(word);
}

function isAcronym(word: string, letters: string): boolean {
  if (ACRONYMS.has(letters)) return true;
  if (letters.length < 2 || letters.length > LONGEST_ACRONYM) return false;
  // `P.C.` and `(CHC)`.
  if (/^(\p{L}\.)+,?$/u.test(word) || /^\(.*\)$/.test(word)) return true;
  return !/[AEIOUY]/.test(letters) && /^[A-Z,&.]+$/.test(word) && !WORDS.has(letters);
}
