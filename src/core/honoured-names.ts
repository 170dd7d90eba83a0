/**
 * People whom many towns have named a street after, and who are written in many ways: the key of their streets (see
 * `parseStreetName`), and a pattern of what it may be otherwise. The letter is the first of all of these.
 */
const HONOURED: readonly (readonly [letters: string, pattern: RegExp, key: string])[] = [
  [
    'RDM',
    /^(?:REV|REVEREND)?(?:DRIVE|DOCTOR)?(?:MARTINL(?:UTHER)?KING|M(?:L|ILL)KING|MLK)(?:JR|JUNIOR)?/,
    'MARTINLUTHERKING',
  ],
  ['J', /^(?:JFK|JOHN(?:F|FITZGERALD)?KENNEDY)/, 'JOHNFKENNEDY'],
  ['F', /^(?:FDR|FRANKLIN(?:D|DELANO)?ROOSEVELT)/, 'FRANKLINDROOSEVELT'],
  ['L', /^(?:LBJ|LYNDON(?:B|BAINES)?JOHNSON)/, 'LYNDONBJOHNSON'],
  ['C', /^CESAR(?:E)?CHAVEZ/, 'CESARCHAVEZ'],
];

const BY_FIRST_LETTER = new Map(HONOURED.flatMap((entry) => [...entry[0]].map((letter) => [letter, entry] as const)));

/** The key of a street in one form whoever it honours: `MLKJR` and `DRMARTINLUTHERKING` are `MARTINLUTHERKING`. */
export function honouredName(key: string): string {
  const [, pattern, name] = BY_FIRST_LETTER.get(key.charAt(0)) ?? [];
  return pattern && name ? key.replace(pattern, name) : key;
}
