/**
 * Whether two texts differ by exactly one slip of the pen: a character too many, too few, wrong, or two neighbours
 * swapped (Damerau's four). Figures are no slips: 5 and 6 are two streets. O(length).
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
