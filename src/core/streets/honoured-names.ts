import { obtain } from '../obtain.js';

/**
 * People after whom many towns have named a street, and whose names are written in many ways: the letters that these
 * spellings begin with, a pattern for the spellings, and the key of the streets (see `parseStreetName`). An initial that
 * is also a direction's abbreviation may stand in a key as that direction: `E` as `EAST`.
 */
const HONOURED: readonly (readonly [letters: string, pattern: RegExp, key: string])[] = [
  [
    'RDM',
    /^(?:REV|REVEREND)?(?:DRIVE|DOCTOR)?(?:MARTINL(?:UTHER)?KING|M(?:L|ILL)KING|MLK)(?:JR|JUNIOR)?/,
    'MARTINLUTHERKING',
  ],
  ['J', /^(?:JFK|JOHN(?:F|FITZGERALD)?KENNEDY)/, 'JOHNFKENNEDY'],
  ['R', /^(?:RFK|ROBERT(?:F|FRANCIS)?KENNEDY)/, 'ROBERTFKENNEDY'],
  ['F', /^(?:FDR|FRANKLIN(?:D|DELANO)?ROOSEVELT)/, 'FRANKLINDROOSEVELT'],
  ['L', /^(?:LBJ|LYNDON(?:B|BAINES)?JOHNSON)/, 'LYNDONBJOHNSON'],
  ['C', /^CESAR(?:E|EAST|ESTRADA)?CHAVEZ/, 'CESARCHAVEZ'],
  ['R', /^ROBERT(?:E|EAST|EDWARD)?LEE$/, 'ROBERTELEE'],
  ['H', /^HARRY(?:S|SOUTH)?TRUMAN/, 'HARRYSTRUMAN'],
  ['R', /^RONALD(?:W|WEST|WILSON)?REAGAN/, 'RONALDREAGAN'],
];

const BY_FIRST_LETTER = new Map<string, (readonly [pattern: RegExp, key: string])[]>();
for (const [letters, pattern, key] of HONOURED) {
  for (const letter of letters) {
    obtain(BY_FIRST_LETTER, letter, () => []).push([pattern, key]);
  }
}

/** The street's key with one spelling for whomever it honours: `MLKJR` and `DRMARTINLUTHERKING` are `MARTINLUTHERKING`. */
export function honouredName(key: string): string {
  for (const [pattern, name] of BY_FIRST_LETTER.get(key.charAt(0)) ?? []) {
    if (pattern.test(key)) return key.replace(pattern, name);
  }
  return key;
}
