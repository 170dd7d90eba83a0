import { STATES } from './states.js';

/** Kinds of numbered highway as they are compared. `HIGHWAY` is one whose kind is not said. */
const KINDS = {
  us: 'USHIGHWAY',
  interstate: 'INTERSTATE',
  state: 'STATEHIGHWAY',
  county: 'COUNTYROAD',
  farm: 'FARMROAD',
  forest: 'FORESTROAD',
  township: 'TOWNSHIPROAD',
  any: 'HIGHWAY',
} as const;

type Kind = keyof typeof KINDS;

const WAYS = new Set('HWY HIGHWAY HIWAY HWAY ROUTE RTE RT ROAD RD'.split(' '));

/** What a way's word may follow, by kind; longer beginnings first. */
const OWNERS: readonly (readonly [words: readonly string[], kind: Kind])[] = [
  [['UNITED', 'STATES'], 'us'],
  [['U', 'S'], 'us'],
  [['US'], 'us'],
  [['STATE'], 'state'],
  [['ST'], 'state'],
  [['COUNTY'], 'county'],
  [['CNTY'], 'county'],
  [['CO'], 'county'],
  [['TOWNSHIP'], 'township'],
  [['TWP'], 'township'],
  [['NATIONAL', 'FOREST'], 'forest'],
  [['FOREST', 'SERVICE'], 'forest'],
  [['FOREST'], 'forest'],
  [['NFS'], 'forest'],
  [['USFS'], 'forest'],
  [['NF'], 'forest'],
  [['FS'], 'forest'],
  [['FARM', 'TO', 'MARKET'], 'farm'],
  [['FM'], 'farm'],
  [['INTERSTATE'], 'interstate'],
  ...STATES.flatMap(({ name, abbreviation }) => [
    [name.toUpperCase().split(' '), 'state'] as const,
    [[abbreviation], 'state'] as const,
  ]),
];

const OWNERS_BY_FIRST = new Map<string, (typeof OWNERS)[number][]>();
for (const owner of OWNERS) {
  const [first = ''] = owner[0];
  OWNERS_BY_FIRST.set(first, [...(OWNERS_BY_FIRST.get(first) ?? []), owner]);
}

/** Beginnings that a number follows at once. */
const SHORT: ReadonlyMap<string, Kind> = new Map([
  ...'US USH'.split(' ').map((word) => [word, 'us'] as const),
  ...'SR SH STH SRT'.split(' ').map((word) => [word, 'state'] as const),
  ...'CR CTH CH CSAH'.split(' ').map((word) => [word, 'county'] as const),
  ...'HWY HIGHWAY HIWAY HWAY ROUTE RTE RT'.split(' ').map((word) => [word, 'any'] as const),
  ...'I IH INTERSTATE'.split(' ').map((word) => [word, 'interstate'] as const),
  ...STATES.flatMap(({ name, abbreviation }) =>
    [name.toUpperCase(), abbreviation].map((word) => [word, 'state'] as const),
  ),
  ['FM', 'farm'],
  ['FR', 'forest'],
  ['NF', 'forest'],
  ['TR', 'township'],
]);

const NUMBER = /^\d+[A-Z]?$/;
const LETTERS = /^[A-Z]{1,2}$/;

/** A highway's name as it is compared, and how many words it took. */
export interface HighwayName {
  readonly name: string;
  readonly words: number;
}

/** The numbered highway that words begin with: `US HWY 12`, `CR 5`, `MONTANA 360`; undefined where there is none. */
export function readHighway(words: readonly string[]): HighwayName | undefined {
  const short = SHORT.get(words[0] ?? '');
  if (short && NUMBER.test(words[1] ?? '')) return { name: `${KINDS[short]}${words[1]}`, words: 2 };
  if (words[0] === 'U' && words[1] === 'S' && NUMBER.test(words[2] ?? '')) {
    return { name: `${KINDS.us}${words[2]}`, words: 3 };
  }
  for (const [owner, kind] of OWNERS_BY_FIRST.get(words[0] ?? '') ?? []) {
    if (!owner.every((word, at) => words[at] === word) || !WAYS.has(words[owner.length] ?? '')) continue;
    const number = words[owner.length + 1] ?? '';
    // Counties letter their roads, too.
    if (!NUMBER.test(number) && !(kind === 'county' && LETTERS.test(number))) continue;
    return { name: `${KINDS[kind]}${number}`, words: owner.length + 2 };
  }
  return undefined;
}

const ALTERNATIVES: Readonly<Partial<Record<Kind, readonly Kind[]>>> = {
  any: ['state', 'us', 'county'],
  state: ['any'],
  us: ['any'],
  county: ['any'],
};

/** The same number on highways of the kinds that people mix up with this one: `HIGHWAY5` may be `STATEHIGHWAY5`. */
export function similarHighways(name: string): string[] {
  for (const [kind, others] of Object.entries(ALTERNATIVES)) {
    const whole = KINDS[kind as Kind];
    if (!name.startsWith(whole) || !NUMBER.test(name.slice(whole.length))) continue;
    return others.map((other) => KINDS[other] + name.slice(whole.length));
  }
  return [];
}
