import { stateByFips } from '../../core/states.js';
import { readHighway } from '../../core/streets/highways.js';
import { parseHouseNumber } from '../../core/streets/house-number.js';
import { isOrdinalFigure } from '../../core/streets/ordinals.js';
import { parseStreetName } from '../../core/streets/street-name.js';
import type { NoMatch } from '../geocoder.js';
import { decoded } from '../parse/encodings.js';
import { readEndings, streetFirst, upToState } from '../parse/ending.js';
import { parseAddress } from '../parse/parse-address.js';
import type { AddressReading, CrossingReading, Whereabouts } from '../parse/readings.js';
import { withoutTelephone } from '../parse/telephone.js';
import { hasPersonalNumber, splitAtCommas, type Tokens, tokenize, withoutCommas } from '../parse/tokens.js';
import { isUnit } from '../parse/units.js';

/** A telephone or social security number, or a date, within an address. */
const PERSONAL = /(?:^|\D)(?:\d{3}[ /-]?\d{3}[ -]?\d{4}|\d{3}-\d{2}-\d{4}|\d{1,2}[/-]\d{1,2}[/-]\d{2,4})(?:\D|$)/;

/** Words for somebody's mailbox, whatever the house. */
const BOXES = new Set(['BOX', 'BX', 'LOCKBOX', 'PMB', 'POB', 'POBOX', 'POBX']);

const EMAIL = /[^\s,]@[^\s,]/;

/**
 * The part of a text that may be sent to an external geocoder: the text as typed, if it is an address and nothing besides.
 * Otherwise only house number (or the two streets of a crossing), street, city, state and ZIP: who lives there, their boxes,
 * telephone numbers, dates and e-mail addresses are nobody's business. NoMatch if nothing may be sent: the text names a
 * person or a post office box, but no place.
 */
export function textToSend(text: string): string | NoMatch {
  const parsed = parseAddress(text);
  switch (parsed.kind) {
    case 'address':
      return addressToSend(text, parsed.readings);
    case 'crossing':
      return crossingToSend(text, parsed.readings);
    case 'unplaceable':
      return { noMatch: 'cannot be placed' };
    case 'nothing':
      return { noMatch: 'no match' };
  }
}

function addressToSend(text: string, [reading]: readonly AddressReading[]): string {
  const tokens = withoutCommas(tokenize(text));
  const place = withoutTelephone(tokens);
  // What looks like a city there may be whoever lives in the house: `Jane Sample MD 12345, 150 Main St`.
  if (reading && streetFirst(place) !== place) return addressOf({ ...reading, city: [] });
  // Where something was decoded, something else may have been left out.
  const isAsTyped = !text.includes('@') && decoded(text) === text && !hasPersonalNumber(text);
  if (reading && !(isAsTyped && isAddressAlone(place))) return addressOf(reading);
  return place.length === tokens.length ? text : place.join(' ').replaceAll(' ,', ',');
}

/** No street's number has so many digits, but other numbers of people have. */
const LONG_NUMBER = /\d{6}/;

/**
 * The two streets of a crossing, and where they are. `Jane & John Sample` reads like two streets, too: at least one must have
 * a street's type or number. If anything in the text is personal, nothing of it is sent.
 */
function crossingToSend(text: string, readings: readonly CrossingReading[]): string | NoMatch {
  const reading = readings.find(({ streets }) => streets.some(isStreetForSure));
  const streets = reading?.streets.map((street) => street.join(' ')).join(' & ') ?? '';
  const isAboutPeople =
    EMAIL.test(text) || LONG_NUMBER.test(streets) || isPersonal(withoutTelephone(withoutCommas(tokenize(text))));
  return reading && !isAboutPeople ? lineOf(streets, reading) : { noMatch: 'no match' };
}

/** `Main St`, `5th`, `US Hwy 12`, but not `Sample`, which may be a street's name or a person's. */
const isStreetForSure = (words: readonly string[]): boolean =>
  (parseStreetName(words)?.type ?? '') !== '' || words.some(isOrdinalFigure) || readHighway(words) !== undefined;

const isPersonal = (tokens: Tokens): boolean =>
  PERSONAL.test(tokens.join(' ')) || tokens.some((word) => BOXES.has(word));

/** Whether the tokens are only a number and a street, units, city, state and ZIP. */
function isAddressAlone(place: Tokens): boolean {
  const [ending] = readEndings(place);
  const [[number = ''] = [], ...others] = splitAtCommas(ending?.body ?? place);
  return (
    parseHouseNumber(number) !== undefined &&
    !isOrdinalFigure(number) &&
    upToState(place).length === place.length &&
    others.slice(0, -1).every(isUnit) &&
    !isPersonal(place)
  );
}

const addressOf = (reading: AddressReading): string =>
  lineOf(`${reading.number.written} ${reading.words.join(' ')}`, reading);

function lineOf(street: string, { city, stateFips, zip }: Whereabouts): string {
  const state = stateFips === undefined ? undefined : stateByFips(stateFips)?.abbreviation;
  const end = [state, zip?.toString().padStart(5, '0')].filter((part) => part !== undefined).join(' ');
  return [street, city.join(' '), end].filter((part) => part !== '').join(', ');
}
