import { isDigitAt } from '../digits.js';
import { groupBy } from '../group-by.js';
import { STATES } from '../states.js';
import { DIRECTIONS, directionCode, isDirection } from './street-directions.js';
import { isStreetType, streetType, wholeWord } from './street-types.js';

/** What a numbered highway's key begins with, by kind. `HIGHWAY` stands for an unspecified kind. */
export const HIGHWAY_KEYS = {
  us: 'USHIGHWAY',
  interstate: 'INTERSTATE',
  state: 'STATEHIGHWAY',
  county: 'COUNTYROAD',
  // Texas numbers its farm, ranch, farm-to-market and ranch-to-market roads together.
  farm: 'FARMROAD',
  forest: 'FORESTROAD',
  township: 'TOWNSHIPROAD',
  private: 'PRIVATEROAD',
  parish: 'PARISHROAD',
  tribal: 'INDIANROUTE',
  loop: 'STATELOOP',
  spur: 'STATESPUR',
  any: 'HIGHWAY',
} as const;

export type HighwayKind = keyof typeof HIGHWAY_KEYS;

/** What stands between the words for a kind and the number: a word for a road, as in `COUNTY RD 5`, nothing, or either. */
type Between = 'way' | 'nothing' | 'either';

/** Words that a highway's name can begin with, and the kind that they stand for. */
interface Beginning {
  readonly words: readonly string[];
  readonly kind: HighwayKind;
  readonly between: Between;
}

const WAYS = new Set('HWY HIGHWAY HIWAY HWAY ROUTE RTE RT ROAD RD'.split(' '));

const BEGINNINGS: readonly Beginning[] = [
  ...beginnings('us', 'either', 'US', 'U S', 'UNITED STATES'),
  ...beginnings('us', 'nothing', 'USH', 'USHWY'),
  ...beginnings('interstate', 'either', 'INTERSTATE'),
  ...beginnings('interstate', 'nothing', 'I', 'IH'),
  ...beginnings('state', 'way', 'STATE', 'ST', 'STATE TRUNK', 'ST TRUNK'),
  ...beginnings('state', 'nothing', 'SR', 'SH', 'STH', 'SRT', 'STATEHWY'),
  ...beginnings('state', 'either', 'NYS'),
  ...beginnings('county', 'way', 'CO', 'COUNTY TRUNK', 'CO TRUNK', 'CTY TRUNK'),
  ...beginnings('county', 'way', 'COUNTY STATE AID', 'CO STATE AID', 'COUNTY ST AID', 'CO ST AID'),
  ...beginnings('county', 'either', 'COUNTY', 'CNTY', 'CTY'),
  ...beginnings('county', 'nothing', 'CR', 'CTH', 'CH', 'CSAH'),
  ...beginnings('farm', 'either', 'FARM TO MARKET', 'RANCH TO MARKET', 'F M', 'R M', 'FM', 'RM', 'RR'),
  ...beginnings('farm', 'way', 'FARM', 'RANCH'),
  ...beginnings('forest', 'way', 'NATIONAL FOREST DEVELOPMENT', 'NATL FOREST DEV', 'NATIONAL FOREST', 'NATL FOREST'),
  ...beginnings('forest', 'way', 'NATIONAL FOREST DEV', 'NAT FOR DEV', 'US FOREST SERVICE', 'US FOREST SVC'),
  ...beginnings('forest', 'way', 'FOREST SERVICE', 'FOREST SVC', 'FOREST'),
  ...beginnings('forest', 'either', 'NF', 'NFS', 'USFS', 'FS', 'FSR'),
  ...beginnings('forest', 'nothing', 'FR'),
  ...beginnings('township', 'way', 'TOWNSHIP', 'TWP'),
  ...beginnings('township', 'nothing', 'TR'),
  // Texas numbers its private roads county by county, Louisiana numbers its parish roads parish by parish.
  ...beginnings('private', 'way', 'PRIVATE', 'PVT'),
  ...beginnings('private', 'nothing', 'PR'),
  ...beginnings('parish', 'way', 'PARISH', 'PAR'),
  ...beginnings('tribal', 'either', 'BUREAU OF INDIAN AFFAIRS', 'BIA'),
  ...beginnings('tribal', 'way', 'INDIAN SERVICE', 'INDIAN SVC', 'INDIAN', 'TRIBAL'),
  ...beginnings('tribal', 'way', 'NAVAJO SERVICE', 'NAVAJO SVC', 'NAVAJO'),
  ...beginnings('loop', 'nothing', 'STATE LOOP', 'LOOP'),
  ...beginnings('spur', 'nothing', 'STATE SPUR', 'SPUR'),
  ...beginnings('any', 'nothing', 'HWY', 'HIGHWAY', 'HIWAY', 'HWAY', 'ROUTE', 'RTE', 'RT'),
  ...STATES.flatMap(({ name, abbreviation }) => beginnings('state', 'either', name.toUpperCase(), abbreviation)),
];

function beginnings(kind: HighwayKind, between: Between, ...texts: readonly string[]): Beginning[] {
  return texts.map((text) => ({ words: text.split(' '), kind, between }));
}

/** {@link BEGINNINGS} by their first word, those with the most words first. */
const BY_FIRST_WORD = groupBy(
  BEGINNINGS.toSorted((a, b) => b.words.length - a.words.length),
  ({ words: [first = ''] }) => first,
);

export const HIGHWAY_NUMBER = /^\d+[A-Z]?$/;
export const HIGHWAY_LETTERS = /^[A-Z]{1,2}$/;
/** `FM1960`: a name of this form is always a highway's. */
const GLUED = /^([A-Z]{1,7})(\d{1,4}[A-Z]?)$/;

/** A highway's key, and how many words it was read from. */
export interface HighwayName {
  readonly name: string;
  readonly words: number;
}

/**
 * The numbered highway that the words begin with: `US HWY 12`, `CR 5`, `CR5`, `MONTANA 360`, `OLD US HWY 12`; undefined
 * if there is none.
 */
export function readHighway(words: readonly string[]): HighwayName | undefined {
  const [first = '', second = ''] = words;
  const qualifier = words.length > 1 ? MORE.get(first) : undefined;
  if (qualifier !== undefined) {
    const plain = readHighway(words.slice(1));
    return plain && { name: plain.name + qualifier, words: plain.words + 1 };
  }
  for (const beginning of BY_FIRST_WORD.get(first) ?? []) {
    const found = readAfter(beginning, words);
    if (found) return found;
    // `Highway US 12`
    const isDoubled = beginning.kind === 'any' && BY_FIRST_WORD.get(second)?.some(({ kind }) => kind !== 'any');
    const inner = isDoubled ? readHighway(words.slice(1)) : undefined;
    if (inner) return { name: inner.name, words: inner.words + 1 };
  }
  return readGlued(first);
}

function readAfter({ words: own, kind, between }: Beginning, words: readonly string[]): HighwayName | undefined {
  if (own.length > 1 && !own.every((word, at) => words[at] === word)) return undefined;
  const next = (kind === 'any' ? letterAtEnd(words, own.length) : undefined) ?? words[own.length] ?? '';
  // `Delaware E` is no lettered highway.
  const mayBeLetters = (kind === 'county' || kind === 'any') && words.length === own.length + 1;
  if (between !== 'way' && isNumber(next, mayBeLetters)) {
    return { name: HIGHWAY_KEYS[kind] + next, words: own.length + 1 };
  }
  // `County Road North` goes north.
  const letter = streetType(next) === 'RD' ? undefined : letterAtEnd(words, own.length + 1);
  const number = letter ?? words[own.length + 1] ?? '';
  if (between === 'nothing' || !WAYS.has(next) || !isNumber(number, mayBeLettered(kind, next, number)))
    return undefined;
  return { name: HIGHWAY_KEYS[kind] + number, words: own.length + 2 };
}

/** `E` for `East` at a highway's end, where it can be a letter: `State Highway East`; undefined for other words. */
function letterAtEnd(words: readonly string[], at: number): string | undefined {
  const letter = at === words.length - 1 ? DIRECTIONS[directionCode(words[at] ?? '')] : undefined;
  return letter?.length === 1 ? letter : undefined;
}

/**
 * Whether a word is a highway's number. Counties also letter their roads, and Missouri its state routes; without a word for
 * a road before it, a letter must be the last word, since it may belong to a street's name: `County C Dr`.
 */
function isNumber(word: string, mayBeLetters: boolean): boolean {
  if (HIGHWAY_NUMBER.test(word)) return true;
  const isLetters = mayBeLetters && HIGHWAY_LETTERS.test(word);
  return isLetters && !isStreetType(word) && !WAYS.has(word);
}

/** Whether a letter behind a kind and a word for a road is the highway's: `State Hwy E`, but not `Texas Rd E`. */
const mayBeLettered = (kind: HighwayKind, way: string, letter: string): boolean =>
  kind === 'county' || (kind === 'state' && !(isDirection(letter) && streetType(way) === 'RD'));

function readGlued(word: string): HighwayName | undefined {
  const [, letters = '', number = ''] = (isDigitAt(word, word.length - 1) ? GLUED.exec(word) : null) ?? [];
  const beginning = BY_FIRST_WORD.get(letters)?.find(({ words, between }) => words.length === 1 && between !== 'way');
  return beginning && { name: HIGHWAY_KEYS[beginning.kind] + number, words: 1 };
}

const NUMBER_OR_LETTER = /^(?:[A-Z]?\d+[A-Z]?|([A-Z])\1?)$/;
/** Highways of these kinds hardly go without a number, unlike `Forest Rd` and `Farm Rd`. */
const NEVER_BARE = (['state', 'county', 'township', 'private', 'parish'] as const).map(
  (kind) => `${HIGHWAY_KEYS[kind]}1`,
);

const STATE_NAMES = new Set(STATES.map(({ name }) => name.toUpperCase()));

/** `Washington Rd`, which hardly ever means the state's highways, unlike `Washington Hwy`. */
const isRoadOfName = (way: readonly string[]): boolean =>
  streetType(way.at(-1) ?? '') === 'RD' && STATE_NAMES.has(way.slice(0, -1).join(' '));

/**
 * Whether a word is the number, or the letter, of the highway before it: `5` behind `Township Rd`. It may also be an
 * apartment's where a road can go without a number; `mayBeBare` says whether these count, too.
 */
export function isNumberOfHighway(words: readonly string[], next: string, mayBeBare: boolean): boolean {
  if (!NUMBER_OR_LETTER.test(next)) return false;
  const way = isDirection(words[0] ?? '') ? words.slice(1) : words;
  const numbered = readHighway(way) ? undefined : readHighway([...way, '1']);
  if (numbered?.words !== way.length + 1) return false;
  return mayBeBare || (!isRoadOfName(way) && NEVER_BARE.some((kind) => numbered.name.startsWith(kind)));
}

/** Qualifiers that distinguish highways of one number. The Census Bureau writes them before the name, people after it. */
const MORE: ReadonlyMap<string, string> = new Map([
  ...['BUSINESS', 'BUS', 'BUSN'].map((word) => [word, 'BUSINESS'] as const),
  ...['ALTERNATE', 'ALT', 'ALTN'].map((word) => [word, 'ALTERNATE'] as const),
  ...['BYPASS', 'BYP'].map((word) => [word, 'BYPASS'] as const),
  ...['HISTORIC', 'HIST', 'HST'].map((word) => [word, 'HISTORIC'] as const),
  ...['SCENIC', 'SCN'].map((word) => [word, 'SCENIC'] as const),
  ...['CONNECTOR', 'CONN', 'CON'].map((word) => [word, 'CONNECTOR'] as const),
  ...['OLD', 'TRUCK', 'CUTOFF'].map((word) => [word, word] as const),
]);

/** Whether a word distinguishes highways of one number: `Business`, `Alt`, `Old`. */
export const isHighwayQualifier = (word: string): boolean => MORE.has(word);

const BESIDE = new Set(['FRONTAGE', 'FEEDER', 'SERVICE', 'SVC', 'ACCESS']);

/** Whether a word behind a highway's number denotes a road beside it: `I-35 Frontage Rd`. */
export const isBesideHighway = (word: string): boolean => BESIDE.has(word);

/**
 * The key of what follows a highway's number: `BUS` becomes `BUSINESS`, and a word for a road right after the number is
 * dropped, as in `FM 1960 Rd`.
 */
export function afterHighway(words: readonly string[]): string {
  const rest = WAYS.has(words[0] ?? '') ? words.slice(1) : words;
  return rest.map((word) => MORE.get(word) ?? wholeWord(word)).join('');
}
