/** Directions in street names. A direction's code is its position in this list; 0 is none. */
export const DIRECTIONS = ['', 'N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;

const WHOLE_WORDS = ['', 'NORTH', 'NORTHEAST', 'EAST', 'SOUTHEAST', 'SOUTH', 'SOUTHWEST', 'WEST', 'NORTHWEST'] as const;

const CODES: ReadonlyMap<string, number> = new Map(
  [DIRECTIONS, WHOLE_WORDS]
    .flatMap((words) => words.map((word, code) => [word, code] as const))
    .filter(([word]) => word),
);

/** The code of a direction, abbreviated or not; 0 for any other word. */
export function directionCode(word: string): number {
  return CODES.get(word) ?? 0;
}

/** Whether a word is a direction, abbreviated or not: `N`, `NORTH`. */
export const isDirection = (word: string): boolean => directionCode(word) > 0;

const DIRECTION_AT_BEGIN = /^((?:NORTH|SOUTH)(?:EAST|WEST)?|EAST|WEST)(.{3,})$/;

/** Splits a word that begins with a direction in full: `NORTHWOOD` is `NORTH` and `WOOD`; undefined for others. */
export function splitOffDirection(word: string): readonly [direction: string, name: string] | undefined {
  const [, direction, name] = DIRECTION_AT_BEGIN.exec(word) ?? [];
  return direction === undefined || name === undefined ? undefined : [direction, name];
}

const LETTER_AT_BEGIN = /^([NS][EW](?=\d)|[NESW])([A-Z0-9]{2,})$/;

/**
 * Splits a word that begins with a direction's letter, or with two before a number: `NMAIN` is `N` and `MAIN`, `NE4TH` is
 * `NE` and `4TH`; undefined for others. The word may as well be a name of its own.
 */
export function splitOffLetter(word: string): readonly [direction: string, name: string] | undefined {
  const [, direction, name] = LETTER_AT_BEGIN.exec(word) ?? [];
  return direction === undefined || name === undefined ? undefined : [direction, name];
}

const DIRECTION_AT_END = /^(.+?)((?:NORTH|SOUTH)(?:EAST|WEST)?|EAST|WEST|[NS][EW]|[NESW])$/;

/** Splits a word that ends with a direction, abbreviated or not: `AVENW` is `AVE` and `NW`; undefined for others. */
export function splitOffDirectionAtEnd(word: string): readonly [before: string, direction: string] | undefined {
  const [, before, direction] = DIRECTION_AT_END.exec(word) ?? [];
  return before === undefined || direction === undefined ? undefined : [before, direction];
}

const HALVES: ReadonlyMap<string, string> = new Map(
  ['N', 'S'].flatMap((first) =>
    ['E', 'W'].flatMap((second) => {
      const [one = '', two = ''] = [first, second].map((letter) => wholeDirection(directionCode(letter)));
      return [`${first} ${second}`, `${one} ${two}`].map((text) => [text, first + second] as const);
    }),
  ),
);

/** The abbreviation of a direction written as two words: `NORTH WEST` and `N W` are `NW`; undefined for other words. */
export function directionOfTwo(first: string, second: string): string | undefined {
  return isDirection(first) ? HALVES.get(`${first} ${second}`) : undefined;
}

/** A direction in full, as keys have it, so that `E St` and `East St` are the same; empty for 0. */
export function wholeDirection(code: number): string {
  return WHOLE_WORDS[code] ?? '';
}

/** Whether a name is a direction in full: that of `East St`. */
export const isDirectionInFull = (key: string): boolean => isDirection(key) && key.length > 2;
