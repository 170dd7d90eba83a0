import { isDirection } from '../../core/streets/street-directions.js';
import { isStreetType } from '../../core/streets/street-types.js';
import type { Ending } from './ending.js';
import { JOINS } from './joins.js';
import type { CrossingReading } from './readings.js';
import { splitHyphens } from './tokens.js';
import { cityOf } from './units.js';
import { withWholeDirections } from './whole-directions.js';

/** The streets are in the first or second part: a place's name may precede them, and the city follows. */
const MAX_PARTS = 2;
/** `NE corner of`, `the intersection of`, `Cor`. */
const CORNERS = new Set(['COR', 'CORNER', 'INTERSECTION', 'CROSSING', 'JUNCTION']);
const MAX_WORDS_BEFORE_CORNER = 2;
/** `Cor`, `NWC` */
const CORNER_AT_BEGIN = /^(?:COR|CORNER|[NS][EW]C)$/;
/** What exports write where there is no address: no crossing of N Street and A Street. */
const NOT_AVAILABLE = 'N/A';

/** Two streets joined within one part of an address: `5th Ave & Main St`, `5th / Main`. */
export function readCrossings(parts: readonly string[][], { zip, stateFips }: Ending): CrossingReading[] {
  return parts.slice(0, MAX_PARTS).flatMap((part, position): CrossingReading[] => {
    const words = splitHyphens(withoutCorner(withoutCornerBehind(part.flatMap(setJoinApart))));
    const at = words.findIndex((word, index) => index > 0 && JOINS.has(word));
    const [one, two] = [words.slice(0, Math.max(0, at)), words.slice(at + 1)];
    if (at < 1 || two.length === 0) return [];
    const streets = [withWholeDirections(one) ?? one, withWholeDirections(two) ?? two] as const;
    const city = splitHyphens(cityOf(parts.slice(position + 1)));
    return [{ streets, city: withWholeDirections(city) ?? city, zip, stateFips }];
  });
}

const setJoinApart = (word: string): string[] =>
  word.includes('/') && word !== NOT_AVAILABLE ? word.replace('/', ' & ').split(' ') : [word];

function withoutCorner(words: readonly string[]): readonly string[] {
  const of = words.indexOf('OF');
  const isCorner = of > 0 && of <= MAX_WORDS_BEFORE_CORNER + 1 && CORNERS.has(words[of - 1] ?? '');
  if (isCorner) return words.slice(of + 1);
  // `homeless near Main St & Oak Ave`
  const near = words.indexOf('NEAR');
  if (near >= 0 && !words.slice(0, near).some(isStreetType)) return words.slice(near + 1);
  return CORNER_AT_BEGIN.test(words[0] ?? '') ? words.slice(1) : words;
}

/** `Main St & Oak Ave (NW corner)` */
function withoutCornerBehind(words: readonly string[]): readonly string[] {
  const last = words.at(-1) ?? '';
  if (last !== 'CORNER' && last !== 'COR') return words;
  return words.slice(0, isDirection(words.at(-2) ?? '') ? -2 : -1);
}
