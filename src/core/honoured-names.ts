/**
 * People whom many towns have named a street after, and who are written in many ways: the letters that these begin
 * with, a pattern of what may be written, and the key of their streets (see `parseStreetName`). An initial that is a
 * direction's, too, is that direction in a key.
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
    const others = BY_FIRST_LETTER.get(letter) ?? [];
    BY_FIRST_LETTER.set(letter, [...others, [pattern, key]]);
  }
}

/** The key of a street in one form whoever it honours: `MLKJR` and `DRMARTINLUTHERKING` are `MARTINLUTHERKING`. */
export function honouredName(key: string): string {
  for (const [pattern, name] of BY_FIRST_LETTER.get(key.charAt(0)) ?? []) {
    if (pattern.test(key)) return key.replace(pattern, name);
  }
  return key;
}
