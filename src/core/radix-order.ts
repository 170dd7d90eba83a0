/** Fewer numbers than this are sorted by smaller digits, whose counters are quicker to clear. */
const FEW = 512;
const [DIGIT_BITS, DIGIT_BITS_OF_FEW] = [11, 8];

/**
 * The place of each of some whole numbers below `bound` in ascending order, from 0; equal numbers keep their order. A
 * radix sort, least significant digit first, which takes a quarter of the time of an array's own sort. O(n · log bound).
 */
export function ascendingPlaces(numbers: Uint32Array, bound: number): Uint32Array {
  const digitBits = numbers.length < FEW ? DIGIT_BITS_OF_FEW : DIGIT_BITS;
  const starts = new Uint32Array(2 ** digitBits);
  // The numbers' positions, ordered by the digits processed so far.
  let from = new Uint32Array(numbers.length);
  let to = new Uint32Array(numbers.length);
  for (let at = 0; at < from.length; at++) from[at] = at;
  for (let shift = 0; 2 ** shift < bound; shift += digitBits) {
    countDigits(numbers, shift, starts);
    distribute({ numbers, shift, starts }, from, to);
    [from, to] = [to, from];
  }
  for (let place = 0; place < from.length; place++) to[from[place] ?? 0] = place;
  return to;
}

/** Fills `starts` with where, in the order of one digit, the numbers with each value of that digit begin. */
function countDigits(numbers: Uint32Array, shift: number, starts: Uint32Array): void {
  const mask = starts.length - 1;
  starts.fill(0);
  for (let at = 0; at < numbers.length; at++) {
    const digit = ((numbers[at] ?? 0) >>> shift) & mask;
    starts[digit] = (starts[digit] ?? 0) + 1;
  }
  let before = 0;
  for (let digit = 0; digit < starts.length; digit++) {
    const count = starts[digit] ?? 0;
    starts[digit] = before;
    before += count;
  }
}

interface Digit {
  readonly numbers: Uint32Array;
  readonly shift: number;
  /** The next free place for a number with each value of the digit. */
  readonly starts: Uint32Array;
}

/** Orders positions by one digit of their numbers; positions with equal digits keep their order. */
function distribute({ numbers, shift, starts }: Digit, from: Uint32Array, to: Uint32Array): void {
  const mask = starts.length - 1;
  for (let at = 0; at < from.length; at++) {
    const position = from[at] ?? 0;
    const digit = ((numbers[position] ?? 0) >>> shift) & mask;
    const place = starts[digit] ?? 0;
    to[place] = position;
    starts[digit] = place + 1;
  }
}
