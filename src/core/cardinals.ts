/** Numbers that streets are called by in words as well as in figures: `Eight Mile Rd`, `8 Mile Rd`. */
const WORDS = [
  ...'ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN'.split(' '),
  ...'ELEVEN TWELVE THIRTEEN FOURTEEN FIFTEEN SIXTEEN SEVENTEEN EIGHTEEN NINETEEN TWENTY'.split(' '),
];

const VALUES: ReadonlyMap<string, number> = new Map(WORDS.map((word, at) => [word, at + 1]));

/** What a number from 1 to 20 in letters is; undefined for any other word. */
export const cardinalValue = (word: string): number | undefined => VALUES.get(word);

const OTHER: ReadonlyMap<string, string> = new Map(
  WORDS.flatMap((word, at) => {
    const figures = String(at + 1);
    return [[word, figures] as const, [figures, word] as const];
  }),
);

/** A number from 1 to 20 in figures where it is in letters, and the other way round; undefined for any other word. */
export const otherCardinal = (word: string): string | undefined => OTHER.get(word);
