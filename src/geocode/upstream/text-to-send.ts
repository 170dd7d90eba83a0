import { parseHouseNumber } from '../../core/house-number.js';
import { isOrdinalFigure } from '../../core/ordinals.js';
import { stateByFips } from '../../core/states.js';
import { readEndings, upToState } from '../parse/ending.js';
import { parseAddress } from '../parse/parse-address.js';
import type { AddressReading } from '../parse/readings.js';
import { withoutTelephone } from '../parse/telephone.js';
import { splitAtCommas, type Tokens, tokenize, withoutCommas } from '../parse/tokens.js';
import { isUnit } from '../parse/units.js';

/** A telephone or social security number, or a date, within an address. */
const PERSONAL = /(?:^|\D)(?:\d{3}[ /-]?\d{3}[ -]?\d{4}|\d{3}-\d{2}-\d{4}|\d{1,2}[/-]\d{1,2}[/-]\d{2,4})(?:\D|$)/;

/** Words for somebody's mailbox, whatever the house. */
const BOXES = new Set(['BOX', 'BX', 'LOCKBOX', 'PMB', 'POB', 'POBOX', 'POBX']);

/**
 * The part of a text that is sent to an external geocoder: the text as typed, if it is an address and nothing besides.
 * Otherwise only house number, street, city, state and ZIP: who lives there, their boxes, telephone numbers, dates and
 * e-mail addresses are nobody's business. A crossing is sent as typed, except for telephone numbers at its end.
 */
export function textToSend(text: string): string {
  const tokens = withoutCommas(tokenize(text));
  const place = withoutTelephone(tokens);
  const parsed = parseAddress(text);
  const [reading] = parsed.kind === 'address' ? parsed.readings : [];
  if (reading && (text.includes('@') || !isAddressAlone(place))) return addressOf(reading);
  return place.length === tokens.length ? text : place.join(' ').replaceAll(' ,', ',');
}

/** Whether the tokens are only a number and a street, units, city, state and ZIP. */
function isAddressAlone(place: Tokens): boolean {
  const [ending] = readEndings(place);
  const [[number = ''] = [], ...others] = splitAtCommas(ending?.body ?? place);
  return (
    parseHouseNumber(number) !== undefined &&
    !isOrdinalFigure(number) &&
    upToState(place).length === place.length &&
    others.slice(0, -1).every(isUnit) &&
    !PERSONAL.test(place.join(' ')) &&
    !place.some((word) => BOXES.has(word))
  );
}

function addressOf({ number, words, city, stateFips, zip }: AddressReading): string {
  const state = stateFips === undefined ? undefined : stateByFips(stateFips)?.abbreviation;
  const end = [state, zip?.toString().padStart(5, '0')].filter((part) => part !== undefined).join(' ');
  return [`${number.written} ${words.join(' ')}`, city.join(' '), end].filter((part) => part !== '').join(', ');
}
