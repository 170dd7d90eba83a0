import { isDigitAt } from '../digits.js';
import { obtain } from '../obtain.js';
import { isOneSlipAway } from '../slips.js';

const UNITS = ' FIRST SECOND THIRD FOURTH FIFTH SIXTH SEVENTH EIGHTH NINTH'.split(' ');
const TEENS =
  'TENTH ELEVENTH TWELFTH THIRTEENTH FOURTEENTH FIFTEENTH SIXTEENTH SEVENTEENTH EIGHTEENTH NINETEENTH'.split(' ');
const TENS = 'TWENT THIRT FORT FIFT SIXT SEVENT EIGHT NINET'.split(' ');

const VALUES: ReadonlyMap<string, number> = new Map([
  ...UNITS.map((word, value) => [word, value] as const).filter(([word]) => word),
  ...TEENS.map((word, at) => [word, 10 + at] as const),
  ...TENS.flatMap((stem, at) => [
    [`${stem}IETH`, 20 + 10 * at] as const,
    ...UNITS.slice(1).map((unit, below) => [`${stem}Y${unit}`, 21 + 10 * at + below] as const),
  ]),
]);
const TENS_ALONE: ReadonlyMap<string, string> = new Map(TENS.map((stem) => [`${stem}Y`, stem]));

const ORDINAL = /^(\d+)(?:ST|ND|RD|TH)$/;

/** Whether a word is an ordinal in digits: `5TH`. */
export const isOrdinalFigure = (word: string): boolean => mayBeFigures(word) && ORDINAL.test(word);

/** Cheaply rules out nearly every word: most begin with a letter, and numbers end with a digit. */
const mayBeFigures = (word: string): boolean => isDigitAt(word, 0) && !isDigitAt(word, word.length - 1);

/** The digits of an ordinal in digits or letters: `5TH` and `FIFTH` are `5`; undefined for any other word. */
export function ordinalFigures(word: string): string | undefined {
  if (isDigitAt(word, 0)) return mayBeFigures(word) ? ORDINAL.exec(word)?.[1] : undefined;
  return VALUES.get(word)?.toString();
}

/** {@link VALUES} by their first letter and their length: `S5` has `SIXTH`. */
const SPELLED = new Map<string, [word: string, figures: string][]>();
for (const [word, value] of VALUES) {
  obtain(SPELLED, word.charAt(0) + word.length, () => []).push([word, value.toString()]);
}

/** The digits of the ordinals in letters that a word is one typo away from, but for their first letter: `4` for `FORTH`. */
export function ordinalsLike(word: string): string[] {
  const spelled = [-1, 0, 1].flatMap((longer) => SPELLED.get(word.charAt(0) + (word.length + longer)) ?? []);
  return spelled.flatMap(([ordinal, figures]) => (isOneSlipAway(word, ordinal) ? [figures] : []));
}

/** The digits of an ordinal of two words: `TWENTY FIRST` is `21`. */
export function ordinalOfTwo(word: string, next: string | undefined): string | undefined {
  const stem = TENS_ALONE.get(word);
  return stem === undefined || next === undefined ? undefined : VALUES.get(`${stem}Y${next}`)?.toString();
}
