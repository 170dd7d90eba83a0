import { type HouseNumber, LONGEST_HOUSE } from '../../core/streets/house-number.js';

/** `37-` of `37-18`. */
const BLOCK_PREFIX = /^(\d+)-$/;
/** A district of two digits, then the house's three or four. */
const DISTRICT = /^\d{2}[1-9]\d{2,3}$/;

/** What else a house number as written may mean. None for `5` or `12`, and for other prefixes, as in `N112W16234`. */
export function otherForms({ prefix, value, written }: HouseNumber): HouseNumber[] {
  const [, before] = BLOCK_PREFIX.exec(prefix) ?? [];
  if (before !== undefined) return formsWithoutPrefix(Number(before), value);
  return prefix === '' ? formsWithPrefix(written) : [];
}

/**
 * `37-18` outside Queens is number 37, apartment 18; and `5-159` may just as well be apartment 5 of number 159, since no house
 * has both numbers.
 */
function formsWithoutPrefix(before: number, behind: number): HouseNumber[] {
  const numbers = before + LONGEST_HOUSE < behind ? [before, behind] : [before];
  return numbers.map((number) => ({ prefix: '', value: number, written: String(number) }));
}

/** `3718` is `37-18` in Queens, and `94123` is `94-123` in Hawaii. */
function formsWithPrefix(written: string): HouseNumber[] {
  if (written.length < 3) return [];
  const blockLengths = DISTRICT.test(written) ? [written.length - 2, 2] : [written.length - 2];
  return blockLengths.map((length) => {
    const [block, house] = [written.slice(0, length), written.slice(length)];
    return { prefix: `${block}-`, value: Number(house), written: `${block}-${house}` };
  });
}
