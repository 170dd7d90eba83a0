/** Numbers that occur in street names as words and as digits: `Eight Mile Rd`, `8 Mile Rd`. */
const WORDS = [
  ...'ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN'.split(' '),
  ...'ELEVEN TWELVE THIRTEEN FOURTEEN FIFTEEN SIXTEEN SEVENTEEN EIGHTEEN NINETEEN TWENTY'.split(' '),
];

const VALUES: ReadonlyMap<string, number> = new Map(WORDS.map((word, at) => [word, at + 1]));

/** The value of a number from 1 to 20 in letters; undefined for any other word. */
export const cardinalValue = (word: string): number | undefined => VALUES.get(word);

const OTHER: ReadonlyMap<string, string> = new Map(
  WORDS.flatMap((word, at) => {
    const figures = String(at + 1);
    return [[word, figures] as const, [figures, word] as const];
  }),
);

/** Turns a number from 1 to 20 in letters into digits, and vice versa; undefined for any other word. */
export const otherCardinal = (word: string): string | undefined => OTHER.get(word);
