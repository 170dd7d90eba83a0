import { isOneSlipAway } from '../../core/slips.js';
import { isHighwayQualifier, readHighway } from '../../core/streets/highways.js';
import { placeOfType, withEndDirectionApart } from '../../core/streets/other-spaces.js';
import { isDirection } from '../../core/streets/street-directions.js';
import { isLettered, parseStreetName, type Reading, type StreetName } from '../../core/streets/street-name.js';
import { isStreetType, streetType, TYPE_SPELLINGS } from '../../core/streets/street-types.js';
import type { Split } from './splits.js';

const AVENUE = 'AVENUE';
/** Two letters are one typo away from many a type: a `Pk` is a park. */
const LEAST_LETTERS = 3;
const UNTYPED: Reading = { directions: true, type: false };

/** What a street with a misspelled type may be. */
export interface Mended {
  /** With each type that may be meant: `Main Steet` as Main Street. */
  readonly withType: readonly StreetName[];
  /** Without any: `Main Steet` is on the Main Road that there is. */
  readonly withoutType: readonly StreetName[];
}

const NOT_MISSPELLED: Mended = { withType: [], withoutType: [] };

/** Mends a misspelled type: `Main Steet`, `Main Steet W`, `Avneue N`. */
export function mendType({ words, street, isAll }: Split): Mended {
  // `150 US Hwy 20 San Antonio` has no station.
  if (!isAll && readHighway(words)) return NOT_MISSPELLED;
  const at = placeOfType(words);
  const lettered = at === 0 && isOneSlipAway(words[0] ?? '', AVENUE) ? [AVENUE, ...words.slice(1)] : [];
  if (isLettered(lettered)) return { withType: readingsOf([parseStreetName(lettered)]), withoutType: [] };
  if (at < 1 || street.type !== '') return NOT_MISSPELLED;
  const word = words[at] ?? '';
  const types = typesLike(words, word);
  if (types.length === 0) return NOT_MISSPELLED;
  // `River` is the type of `N River E`, but not of `N River Circel E`.
  const rest = words.toSpliced(at, 1);
  return {
    withType: word.length < LEAST_LETTERS ? [] : readingsOf(types.map((type) => parseStreetName(words.with(at, type)))),
    withoutType: readingsOf([parseStreetName(rest), parseStreetName(rest, UNTYPED)]),
  };
}

const readingsOf = (read: readonly (StreetName | undefined)[]): StreetName[] => read.flatMap((street) => street ?? []);

/** The types that the word at the place of a street's type is one typo away from, unless it is something else. */
function typesLike(words: readonly string[], word: string): readonly string[] {
  // `Avenue D` is not Avenue Road.
  if (word.length < 2 || isStreetType(word) || isDirection(word)) return [];
  // `US Hwy 20 Truck` is no track, and `Park AveS` is Park Avenue S.
  if (isHighwayQualifier(word) || withEndDirectionApart(words) !== undefined) return [];
  const types = TYPE_SPELLINGS.filter((type) => isOneSlipAway(word, type)).map((type) => streetType(type) ?? type);
  return [...new Set(types)];
}
