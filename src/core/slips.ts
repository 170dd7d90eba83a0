/**
 * Whether two texts differ by exactly one typo: a character too many, too few, wrong, or two neighbours swapped (the four
 * of Damerau). A different digit is not a typo: 5th and 6th are two streets. O(length).
 */
export function isOneSlipAway(a: string, b: string): boolean {
  if (a.length > b.length) return isOneSlipAway(b, a);
  if (b.length - a.length > 1) return false;
  let begin = 0;
  while (begin < a.length && a[begin] === b[begin]) begin++;
  if (a.length < b.length) return a.slice(begin) === b.slice(begin + 1) && !isFigure(b[begin]);
  if (begin === a.length) return false;
  const [a0, a1, b0, b1] = [a[begin], a[begin + 1], b[begin], b[begin + 1]];
  if (a.slice(begin + 1) === b.slice(begin + 1)) return !isFigure(a0) && !isFigure(b0);
  const swapped = a0 === b1 && a1 === b0 && a.slice(begin + 2) === b.slice(begin + 2);
  return swapped && !isFigure(a0) && !isFigure(a1);
}

const isFigure = (character: string | undefined): boolean =>
  character !== undefined && character >= '0' && character <= '9';

/** The keys of streets that are distinguished by letters at the end: `AVENUEA`, `COUNTYROADB`, `HIGHWAY5A`. */
const LETTERED_KEY =
  /^(?:(?:COUNTY|STATE|TOWNSHIP|PRIVATE|PARISH|FARM|FOREST|US)?(?:AVENUE|STREET|ROAD|HIGHWAY|ROUTE)|CALLE|.*\d)([A-Z]{0,2})$/;

/** Whether two keys name different lettered streets: Avenue A and Avenue B differ by one character, but not by a typo. */
export function haveOtherLetters(a: string, b: string): boolean {
  const [lettersOfA, lettersOfB] = [lettersOf(a), lettersOf(b)];
  if (lettersOfA !== undefined && lettersOfB !== undefined) return lettersOfA !== lettersOfB;
  // Only one key matches the pattern: the typo may be in the other key's word before the letter.
  return !a.endsWith(lettersOfB ?? '') || !b.endsWith(lettersOfA ?? '');
}

const lettersOf = (key: string): string | undefined => LETTERED_KEY.exec(key)?.[1];
