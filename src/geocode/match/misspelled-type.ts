import { isOneSlipAway } from '../../core/slips.js';
import { isHighwayQualifier, readHighway } from '../../core/streets/highways.js';
import { placeOfType, withEndDirectionApart } from '../../core/streets/other-spaces.js';
import { isDirection } from '../../core/streets/street-directions.js';
import { isLettered, parseStreetName, type Reading, type StreetName } from '../../core/streets/street-name.js';
import { isStreetType, TYPE_SPELLINGS } from '../../core/streets/street-types.js';
import type { Split } from './splits.js';

const AVENUE = 'AVENUE';
const UNTYPED: Reading = { directions: true, type: false };

/**
 * The street without its type if that is misspelled: `Main Steet`, `Main Steet W`; with the right one if that is all of it
 * but a letter: `Avneue N`. None if it is not misspelled.
 */
export function withoutMisspelledType({ words, street, isAll }: Split): StreetName[] {
  // `150 US Hwy 20 San Antonio` has no station.
  if (!isAll && readHighway(words)) return [];
  const at = placeOfType(words);
  const lettered = at === 0 && isOneSlipAway(words[0] ?? '', AVENUE) ? [AVENUE, ...words.slice(1)] : [];
  if (isLettered(lettered)) return [parseStreetName(lettered)].flatMap((read) => read ?? []);
  if (at < 1 || street.type !== '' || !isMisspelledType(words, words[at] ?? '')) return [];
  // `River` is the type of `N River E`, but not of `N River Circel E`.
  const rest = words.toSpliced(at, 1);
  return [parseStreetName(rest), parseStreetName(rest, UNTYPED)].flatMap((read) => read ?? []);
}

/** Whether the word at the place of a street's type is one typo away from a type, and nothing else. */
function isMisspelledType(words: readonly string[], word: string): boolean {
  // `Avenue D` is not Avenue Road.
  if (word.length < 2 || isStreetType(word) || isDirection(word)) return false;
  // `US Hwy 20 Truck` is no track, and `Park AveS` is Park Avenue S.
  if (isHighwayQualifier(word) || withEndDirectionApart(words) !== undefined) return false;
  return TYPE_SPELLINGS.some((type) => isOneSlipAway(word, type));
}
