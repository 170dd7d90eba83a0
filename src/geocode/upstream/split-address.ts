import { STATES } from '../../core/states.js';
import { tokenize } from '../parse/tokens.js';
import { isUnit } from '../parse/units.js';

/** An address in the columns of the batch file; unknown ones are empty. */
export interface AddressParts {
  readonly street: string;
  readonly city: string;
  /** The state's full name, or its abbreviation. */
  readonly state: string;
  /** Five digits. */
  readonly zip: string;
}

const COUNTRY = /[\s,]+(?:usa|u\.s\.a\.|united states(?: of america)?)$/i;
const ZIP = /[\s,](\d{5})(?:-\d{4})?$/;
const STATE = new RegExp(`[\\s,](${STATES.flatMap(({ abbreviation, name }) => [name, abbreviation]).join('|')})$`, 'i');

/**
 * Splits a one-line address by its ending and its commas: `7 Main St, Apt 2, Sampleton, DE 19901`. Undefined if it is
 * unclear where the street ends: without a comma, or with neither a ZIP nor a state; or if what is read as the state is the
 * city: `7 Main St, Apt 2, New York 10001`.
 */
export function splitAddress(address: string): AddressParts | undefined {
  const { before, state, zip } = endOf(address);
  const parts = before.split(',').map((part) => part.trim());
  const city = parts.pop() ?? '';
  const street = parts.filter((part) => part !== '').join(' ');
  if (street === '' || city === '' || (zip === '' && state === '') || isUnit(tokenize(city))) return undefined;
  return { street, city, state, zip };
}

function endOf(address: string): { before: string; state: string; zip: string } {
  const line = trimEnd(address.replace(/[\s\p{Cc}]+/gu, ' ').trim()).replace(COUNTRY, '');
  const [beforeZip, zip] = cutOff(line, ZIP);
  const [before, state] = cutOff(beforeZip, STATE);
  return { before, state, zip };
}

/** Cuts off what the pattern finds at the text's end; gives the rest and what was found. */
function cutOff(text: string, pattern: RegExp): [rest: string, found: string] {
  const match = pattern.exec(text);
  return match ? [trimEnd(text.slice(0, match.index)), match[1] ?? ''] : [text, ''];
}

const trimEnd = (text: string): string => {
  let end = text.length;
  while (end > 0 && ' ,.'.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
};
