import { abbreviationOf } from '../../core/states.js';
import { readHighway } from '../../core/streets/highways.js';
import { parseHouseNumber } from '../../core/streets/house-number.js';
import { isOrdinalFigure } from '../../core/streets/ordinals.js';
import { parseStreetName } from '../../core/streets/street-name.js';
import { addressLine } from '../address-line.js';
import { NO_MATCH, type NoMatch } from '../geocoder.js';
import { decoded } from '../parse/encodings.js';
import { readEndings } from '../parse/ending.js';
import { JOINS } from '../parse/joins.js';
import { parseAddress } from '../parse/parse-address.js';
import { withoutPlaceholder } from '../parse/placeholder.js';
import type { AddressReading, CrossingReading, Whereabouts } from '../parse/readings.js';
import { withoutTelephone } from '../parse/telephone.js';
import { splitAtCommas, type Tokens, tokenize, withoutCommas } from '../parse/tokens.js';
import { withoutTrailer } from '../parse/trailer.js';
import { isUnit } from '../parse/units.js';
import { streetFirst } from '../parse/usual-order.js';
import { hasDigit } from '../parse/words.js';
import { isZip, zipText } from '../parse/zip.js';
import { isAboutPeople, placeAlone, withoutPersonal, withPlainReceivers } from './personal.js';

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
    case 'address': {
      // Where something was decoded, something else may have been left out.
      const own = withoutPersonal(decoded(text));
      return own === text ? addressToSend(text, parsed.readings) : addressWithin(own);
    }
    case 'crossing':
      return crossingToSend(text, parsed.readings);
    case 'unplaceable':
      return { noMatch: 'cannot be placed' };
    case 'nothing':
      return NO_MATCH;
  }
}

/** The address in a text from which something else has been taken. */
function addressWithin(text: string): string | NoMatch {
  const parsed = parseAddress(text);
  const place = withoutTelephone(tokenize(text));
  const reading = parsed.kind === 'address' ? readingForSure(parsed.readings, place) : undefined;
  return reading ? addressOf(reading) : NO_MATCH;
}

function addressToSend(text: string, readings: readonly AddressReading[]): string | NoMatch {
  const tokens = withoutCommas(tokenize(text));
  const place = withoutPlaceholder(withoutTelephone(tokens));
  const reading = readingForSure(readings, place);
  if (!reading) return NO_MATCH;
  if (reading !== readings[0] || text.includes('@') || !isAddressAlone(place)) return addressOf(reading);
  return place.length === tokens.length ? text : place.join(' ').replaceAll(' ,', ',');
}

/**
 * The first reading, but without its city where that may be whoever lives in the house: if the place is before the street, as
 * in `Jane Sample MD 12345, 150 Main St`, and if it is one of several parts that may be the city while a ZIP says where, as in
 * `150 Main St, Sampleton, Jane Sample, MD 12345`. Undefined if no reading is sure enough: without a ZIP, a place before the
 * street can be told from a person, as in `Jane Sample MD 150 Main St`, only by whether its city is known.
 */
function readingForSure(readings: readonly AddressReading[], place: Tokens): AddressReading | undefined {
  const [first, ...others] = readings;
  if (!first || first.isPlaceFirst) return undefined;
  if (streetFirst(place) !== place || isOneOfSeveral(first)) return { ...first, city: [] };
  const mayBeginWithZip = first.zip === undefined && isZip(place[0] ?? '');
  return mayBeginWithZip ? readingBehindZip(first, others, place) : first;
}

/**
 * The reading of a text whose first number is a house's in the first reading, but may be a ZIP. It is one where a house's
 * number follows, as in `12345 Jane Sample, 150 Main St`, unless what is before that is a street in a state. Undefined if there
 * is a further number that is not read as a house's, as in `12345 Jane Sample, Main St 150`.
 */
function readingBehindZip(
  first: AddressReading,
  others: readonly AddressReading[],
  place: Tokens,
): AddressReading | undefined {
  const isPlaceless = first.stateFips === undefined;
  const isNumbered = first.city.some(hasDigit) || (isPlaceless && splitAtCommas(place).slice(1).some(isNumberedPart));
  const behindZip = others.find(({ zip }) => zip !== undefined);
  if (behindZip && (isPlaceless || isNumbered || !isStreetForSure(first.words))) return { ...behindZip, city: [] };
  return isNumbered ? undefined : first;
}

const isNumberedPart = (part: Tokens): boolean => part.some(hasDigit) && !isUnit(part);

/** Whether another part may be the city, and there is a ZIP, without which the last part has to be it. */
const isOneOfSeveral = ({ between, zip }: AddressReading): boolean =>
  zip !== undefined && between.some(({ city }) => !city.some(hasDigit));

/** No street's number has so many digits, but other numbers of people have. */
const LONG_NUMBER = /\d{6}/;

/**
 * The two streets of a crossing, and where they are. `Jane & John Sample` reads like two streets, too: at least one must have
 * a street's type or number. Nor may one be a name with a house number, of `Jane Sample 150 & 152 Main St`. If anything in the
 * text is personal, nothing of it is sent.
 */
function crossingToSend(text: string, readings: readonly CrossingReading[]): string | NoMatch {
  const reading = readings.find(({ streets }) => streets.some(isStreetForSure) && !streets.some(isNameWithNumber));
  const streets = reading?.streets.map((street) => street.join(' ')).join(' & ') ?? '';
  const place = withoutTelephone(withoutCommas(tokenize(withPlainReceivers(text))));
  const isPersonalToo =
    EMAIL.test(text) || LONG_NUMBER.test(streets) || isPersonal(place) || hasSeveralBehindCrossing(place);
  return reading && !isPersonalToo ? lineOf(streets, reading) : NO_MATCH;
}

/** Whether several parts may be the city: `Main St & Oak Ave, Sampleton, Jane Sample, MD 12345`. */
function hasSeveralBehindCrossing(place: Tokens): boolean {
  const [ending] = readEndings(place);
  const parts = splitAtCommas(ending?.body ?? place);
  const crossing = parts.findIndex((part) => part.some((word) => JOINS.has(word) || word.includes('/')));
  return parts.slice(crossing + 1).filter((part) => !isUnit(part)).length > 1;
}

/** `Main St`, `5th`, `US Hwy 12`, but not `Sample`, which may be a street's name or a person's. */
const isStreetForSure = (words: readonly string[]): boolean =>
  (parseStreetName(words)?.type ?? '') !== '' || words.some(isOrdinalFigure) || readHighway(words) !== undefined;

/** Not `Avenue 5`, nor `E 5`. */
const isNameWithNumber = (words: readonly string[]): boolean =>
  words.length > 2 && words.some(hasDigit) && !isStreetForSure(words);

const isPersonal = (tokens: Tokens): boolean => {
  const text = tokens.join(' ');
  return withoutPersonal(text) !== text || tokens.some(isAboutPeople);
};

/** No house's number has so many digits, either. */
const NUMBER_OF_PEOPLE = /\d{7}/;

/** Whether the tokens are only a number and a street, units, city, state and ZIP. */
function isAddressAlone(place: Tokens): boolean {
  const [ending] = readEndings(place);
  const body = ending?.body ?? place;
  const [[number = ''] = [], ...others] = splitAtCommas(body);
  return (
    parseHouseNumber(number) !== undefined &&
    !isOrdinalFigure(number) &&
    withoutTrailer(place).length === place.length &&
    others.slice(0, -1).every(isUnit) &&
    !isPersonal(place) &&
    !NUMBER_OF_PEOPLE.test(body.join(' '))
  );
}

/** The line of an address without what concerns people; NoMatch if it is then unclear what is where. */
function addressOf(reading: AddressReading): string | NoMatch {
  const { zip, stateFips } = reading;
  const [street, city] = [placeAlone(reading.words), placeAlone(reading.city)];
  const line = lineOf(`${reading.number.written} ${street.join(' ')}`, { ...reading, city });
  // The city may have gone along with the words at the street's end, or a receiver have been taken for it.
  const isWhole = street.length === reading.words.length && city.length === reading.city.length;
  const isSomewhere = zip !== undefined || (stateFips !== undefined && (isWhole || city.length > 0));
  const isPersonalStill = NUMBER_OF_PEOPLE.test(line) || withoutPersonal(line) !== line;
  return street.length > 0 && isSomewhere && !isPersonalStill ? line : NO_MATCH;
}

/** The line of a street, its city, state and ZIP. */
export function lineOf(street: string, { city, stateFips, zip }: Whereabouts): string {
  const state = stateFips === undefined ? '' : abbreviationOf(stateFips);
  return addressLine(street, city.join(' '), state, zip === undefined ? '' : zipText(zip));
}
