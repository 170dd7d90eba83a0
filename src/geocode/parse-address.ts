import { STATES } from '../core/states.js';
import { foldText, streetKey, UNIT_WORDS } from '../core/street-words.js';

/** What an address may mean: a number and a street, and where the street is looked for. */
export interface Reading {
  readonly houseNumber: number;
  /** As `streetKey` gives it. */
  readonly street: string;
  /** Five digits. */
  readonly zip: string | undefined;
  /** Two digits. */
  readonly stateFips: string | undefined;
  /** Undefined where the address names none. */
  readonly city: string | undefined;
  /** Whether the city is set off by a comma, so that it cannot be the rest of the street's name. */
  readonly cityApart: boolean;
}

/** Longer texts are no addresses; the time to read one is linear in its length. */
export const MAX_ADDRESS_LENGTH = 500;

/** No street's name has more words. It bounds the readings of one address. */
const MAX_STREET_WORDS = 8;

const COUNTRIES = [['USA'], ['US'], ['UNITED', 'STATES'], ['UNITED', 'STATES', 'OF', 'AMERICA']];
const ZIP = /^(\d{5})(?:-?\d{4})?$/;
const HOUSE_NUMBER = /^(\d{1,6})[A-Z]?$/;
const FRACTION = /^\d\/\d$/;
const MAX_STATE_WORDS = 3;

const STATE_FIPS: ReadonlyMap<string, string> = new Map(
  STATES.flatMap(({ fips, abbreviation, name }) => [
    [abbreviation, fips],
    [foldText(name), fips],
  ]),
);

/**
 * The readings of an address as people write it, the likeliest first: commas or none, any case, units dropped, with or
 * without ZIP, ZIP+4, state, country. Empty for what is no street address.
 */
export function parseAddress(address: string): Reading[] {
  if (address.length > MAX_ADDRESS_LENGTH) return [];
  const folded = foldText(address);
  // A letter of another script would be dropped, and what is left might be another address.
  if (/[^\P{L}A-Z]/u.test(folded)) return [];
  const [first = '', ...rest] = folded.match(/[A-Z0-9]+(?:[-/][A-Z0-9]+)*|[,;\n#]/g) ?? [];
  const houseNumber = HOUSE_NUMBER.exec(first)?.[1];
  if (houseNumber === undefined) return [];
  const words = rest.map((word) => (word === ';' || word === '\n' ? ',' : word));
  const { body, zip } = takeZip(takeCountry(FRACTION.test(words[0] ?? '') ? words.slice(1) : words));
  return splitState(body).flatMap(({ body: street, stateFips }) =>
    splitStreet(street).map((split) => ({ houseNumber: Number(houseNumber), zip, stateFips, ...split })),
  );
}

type Words = readonly string[];

function takeCountry(words: Words): Words {
  const body = withoutCommas(words);
  const country = COUNTRIES.find((name) => name.every((word, at) => body[body.length - name.length + at] === word));
  return country ? body.slice(0, -country.length) : body;
}

function takeZip(words: Words): { body: Words; zip: string | undefined } {
  const body = withoutCommas(words);
  const zip = ZIP.exec(body.at(-1) ?? '')?.[1];
  return { body: zip === undefined ? body : body.slice(0, -1), zip };
}

/**
 * The state at the end, if there is one. `Ct` is Connecticut or a court: where no comma says that it is a state, both
 * are given.
 */
function splitState(words: Words): { body: Words; stateFips: string | undefined }[] {
  const body = withoutCommas(words);
  for (let count = MAX_STATE_WORDS; count > 0; count--) {
    const stateFips = STATE_FIPS.get(body.slice(-count).join(' '));
    if (stateFips === undefined || body.length <= count) continue;
    const taken = { body: body.slice(0, -count), stateFips };
    return taken.body.at(-1) === ',' ? [taken] : [taken, { body, stateFips: undefined }];
  }
  return [{ body, stateFips: undefined }];
}

type Split = Pick<Reading, 'street' | 'city' | 'cityApart'>;

/** The ways to divide what is left into street and city: at the first comma, or else after any word, later ones first. */
function splitStreet(words: Words): Split[] {
  const body = withoutUnits(withoutCommas(words));
  const comma = body.indexOf(',');
  const head = comma < 0 ? body : body.slice(0, comma);
  const tail = comma < 0 ? [] : body.slice(comma + 1);
  const city = tail.slice(tail.lastIndexOf(',') + 1);
  const splits: Split[] = [];
  for (let count = Math.min(head.length, MAX_STREET_WORDS); count > 0; count--) {
    const between = head.slice(count);
    const cityWords = between.length > 0 ? between : city;
    splits.push({
      street: streetKey(head.slice(0, count).join(' ')),
      city: cityWords.length > 0 ? cityWords.join(' ') : undefined,
      cityApart: between.length === 0,
    });
  }
  return splits;
}

/** Drops apartments, suites and the like with their numbers. A street's first word is none of them. */
function withoutUnits(words: Words): Words {
  const kept: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (at === 0 || !UNIT_WORDS.has(word)) kept.push(word);
    else {
      if (words[at + 1] === '#') at++;
      if (isUnitNumber(words[at + 1] ?? '')) at++;
    }
  }
  return withoutCommas(kept.filter((word, at) => word !== ',' || kept[at - 1] !== ','));
}

/** `4B`, `200`, `C`. */
const isUnitNumber = (word: string): boolean => /\d/.test(word) || /^[A-Z]$/.test(word);

function withoutCommas(words: Words): Words {
  let [begin, end] = [0, words.length];
  while (begin < end && words[begin] === ',') begin++;
  while (end > begin && words[end - 1] === ',') end--;
  return words.slice(begin, end);
}
