import { isDigitAt } from '../../core/digits.js';
import { isDirection } from '../../core/streets/street-directions.js';
import { isPlainType, isStreetType, streetType } from '../../core/streets/street-types.js';
import { isLetter } from './words.js';

/** The words of a word in mixed case: `Main`, `St`, `NW` of `MainStNW`. */
const HUMPS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;
const ENDS_WITH_WORD = /[A-Za-z][.]? +$/;
/** Shorter names may be the beginning of another one: `McWay`, `DeLane`. */
const MIN_NAME = 3;

type Kind = 'type' | 'direction' | 'name';

const isDirectionHump = (hump: string): boolean => isDirection(hump.toUpperCase());

/**
 * A word of the text in mixed case, with a space wherever it lacks one beside a street type or a direction: `MainSt`,
 * `4thStNW`, `SEMain`, and, where the line between street and city was lost, `StSampleton` and `SWSampleton`.
 */
export function spaced(word: string, text: string, at: number): string {
  const [first = '', ...more] = word.match(HUMPS) ?? [];
  let result = first;
  let name = first;
  let kind = kindOfFirst(first, text.slice(0, at));
  more.forEach((hump, index) => {
    const isLast = more.slice(index + 1).every(isDirectionHump);
    const isType = isLast && isStreetType(hump.toUpperCase());
    const isComplete = name.length >= MIN_NAME || (name === first && (isLetter(first) || isDigitAt(text, at - 1)));
    const next = kindOf(hump, kind, isType && isComplete);
    const isApart = next !== 'name' || (kind !== 'name' && hump.length >= MIN_NAME);
    result += isApart ? ` ${hump}` : hump;
    name = isApart ? hump : name + hump;
    kind = next;
  });
  return result;
}

/** A street type is one only behind a name: `WayLower` in `Oak WayLower Sampleton`, but not in `Waylower Dr`. */
function kindOfFirst(first: string, before: string): Kind {
  if (isPlainType(streetType(first.toUpperCase()) ?? '') && ENDS_WITH_WORD.test(before)) return 'type';
  return isDirectionHump(first) && first === first.toUpperCase() ? 'direction' : 'name';
}

function kindOf(hump: string, before: Kind, isType: boolean): Kind {
  if (before === 'type' && isDirectionHump(hump)) return 'direction';
  return isType ? 'type' : 'name';
}
