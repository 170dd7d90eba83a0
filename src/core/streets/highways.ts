import { isDigitAt } from '../digits.js';
import { STATES } from '../states.js';
import { DIRECTIONS, directionCode, isDirection } from './street-directions.js';
import { isStreetType, streetType, wholeWord } from './street-types.js';

/** What a numbered highway's key begins with, by kind. `HIGHWAY` stands for an unspecified kind. */
const KINDS = {
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

type Kind = keyof typeof KINDS;

/** What stands between the words for a kind and the number: a word for a road, as in `COUNTY RD 5`, nothing, or either. */
type Between = 'way' | 'nothing' | 'either';

/** Words that a highway's name can begin with, and the kind that they stand for. */
interface Beginning {
  readonly words: readonly string[];
  readonly kind: Kind;
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

function beginnings(kind: Kind, between: Between, ...texts: readonly string[]): Beginning[] {
  return texts.map((text) => ({ words: text.split(' '), kind, between }));
}

/** {@link BEGINNINGS} by their first word, those with the most words first. */
const BY_FIRST_WORD = new Map<string, Beginning[]>();
for (const beginning of BEGINNINGS.toSorted((a, b) => b.words.length - a.words.length)) {
  const [first = ''] = beginning.words;
  BY_FIRST_WORD.set(first, [...(BY_FIRST_WORD.get(first) ?? []), beginning]);
}

const NUMBER = /^\d+[A-Z]?$/;
const LETTERS = /^[A-Z]{1,2}$/;
/** Of these kinds some highways have letters instead of numbers: `County Road B`, `State Hwy AA`. */
const LETTERED: ReadonlySet<Kind> = new Set<Kind>(['county', 'state', 'any']);
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
    return { name: KINDS[kind] + next, words: own.length + 1 };
  }
  // `County Road North` goes north.
  const letter = streetType(next) === 'RD' ? undefined : letterAtEnd(words, own.length + 1);
  const number = letter ?? words[own.length + 1] ?? '';
  if (between === 'nothing' || !WAYS.has(next) || !isNumber(number, mayBeLettered(kind, next, number)))
    return undefined;
  return { name: KINDS[kind] + number, words: own.length + 2 };
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
  if (NUMBER.test(word)) return true;
  const isLetters = mayBeLetters && LETTERS.test(word);
  return isLetters && !isStreetType(word) && !WAYS.has(word);
}

/** Whether a letter behind a kind and a word for a road is the highway's: `State Hwy E`, but not `Texas Rd E`. */
const mayBeLettered = (kind: Kind, way: string, letter: string): boolean =>
  kind === 'county' || (kind === 'state' && !(isDirection(letter) && streetType(way) === 'RD'));

function readGlued(word: string): HighwayName | undefined {
  const [, letters = '', number = ''] = (isDigitAt(word, word.length - 1) ? GLUED.exec(word) : null) ?? [];
  const beginning = BY_FIRST_WORD.get(letters)?.find(({ words, between }) => words.length === 1 && between !== 'way');
  return beginning && { name: KINDS[beginning.kind] + number, words: 1 };
}

const NUMBER_OR_LETTER = /^(?:[A-Z]?\d+[A-Z]?|([A-Z])\1?)$/;
/** Highways of these kinds hardly go without a number, unlike `Forest Rd` and `Farm Rd`. */
const NEVER_BARE = (['state', 'county', 'township', 'private', 'parish'] as const).map((kind) => `${KINDS[kind]}1`);

/**
 * Whether a word is the number, or the letter, of the highway before it: `5` behind `Township Rd`. It may also be an
 * apartment's where a road can go without a number; `mayBeBare` says whether these count, too.
 */
export function isNumberOfHighway(words: readonly string[], next: string, mayBeBare: boolean): boolean {
  if (!NUMBER_OR_LETTER.test(next)) return false;
  const way = isDirection(words[0] ?? '') ? words.slice(1) : words;
  const numbered = readHighway(way) ? undefined : readHighway([...way, '1']);
  if (numbered?.words !== way.length + 1) return false;
  return mayBeBare || NEVER_BARE.some((kind) => numbered.name.startsWith(kind));
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

const KEY_BESIDE =
  /^((?:INTERSTATE|(?:US|STATE)?HIGHWAY|STATELOOP)\d+[A-Z]*?)(FRONTAGE|FEEDER|SERVICE|ACCESS)(?:ROAD)?$/;

/** The keys that a road beside a highway may also have: it is a feeder in Houston, and a service road in Oklahoma. */
export function otherRoadsBeside(name: string): string[] {
  const [, highway, beside] = KEY_BESIDE.exec(name) ?? [];
  if (highway === undefined) return [];
  const others = ['FRONTAGE', 'FEEDER', 'SERVICE', 'ACCESS'].flatMap((word) => [`${word}ROAD`, word]);
  return others.filter((word) => word !== beside && word !== `${beside}ROAD`).map((word) => highway + word);
}

/**
 * The key of what follows a highway's number: `BUS` becomes `BUSINESS`, and a word for a road right after the number is
 * dropped, as in `FM 1960 Rd`.
 */
export function afterHighway(words: readonly string[]): string {
  const rest = WAYS.has(words[0] ?? '') ? words.slice(1) : words;
  return rest.map((word) => MORE.get(word) ?? wholeWord(word)).join('');
}

/**
 * `State 12A` as `State Hwy 12A`; undefined for other words. Only a guess, since it may be apartment 12A on State Street.
 */
export function withHighwayWord([first = '', number = '', ...rest]: readonly string[]): string[] | undefined {
  return first === 'STATE' && NUMBER.test(number) ? [first, 'HWY', number, ...rest] : undefined;
}

/** `89 Hwy N` and `N 89 Highway` as `Hwy 89 N` and `N Hwy 89`; undefined for other words. */
export function withNumberLast(words: readonly string[]): readonly string[] | undefined {
  const at = isDigitAt(words[0] ?? '', 0) ? 0 : 1;
  const [number = '', highway = '', next = ''] = words.slice(at, at + 3);
  const isTurned = (highway === 'HWY' || highway === 'HIGHWAY') && NUMBER.test(number) && !NUMBER.test(next);
  return isTurned && (at === 0 || isDirection(words[0] ?? '')) ? words.toSpliced(at, 2, highway, number) : undefined;
}

const STATE_NAMES = STATES.flatMap(({ name, abbreviation }) => [name.toUpperCase().split(' '), [abbreviation]]);

/** `NC State Hwy 37` as `State Hwy 37`; undefined for other words. */
export function withoutStateName(words: readonly string[]): readonly string[] | undefined {
  const at = words.indexOf('STATE', 1);
  const isNamed =
    at > 0 && STATE_NAMES.some((name) => name.length === at && name.every((word, i) => words[i] === word));
  const rest = isNamed ? words.slice(at) : [];
  return readHighway(rest) && rest;
}

const LETTER_OF_STATE = /^STATEHIGHWAY([NESW])$/;

/**
 * `State Rd E` as `State Hwy E`, which is lettered, and the other way round: only what is there tells whether `E` is a
 * letter. Undefined for other words.
 */
export function withOtherStateRoad(words: readonly string[]): string[] | undefined {
  const at = isDirection(words[0] ?? '') ? 1 : 0;
  const way = words.slice(at);
  const [first = '', second = '', direction = ''] = way;
  const isRoad = way.length === 3 && first === 'STATE' && streetType(second) === 'RD' && isDirection(direction);
  if (isRoad) return [...words.slice(0, at), first, 'HWY', direction];
  const highway = readHighway(way);
  const [, letter] = LETTER_OF_STATE.exec(highway?.name ?? '') ?? [];
  return letter && highway?.words === way.length ? [...words.slice(0, at), 'STATE', 'RD', letter] : undefined;
}

/** The letters that Michigan and Kansas put before the numbers of their state highways, by state FIPS code. */
const LETTERS_BEFORE: ReadonlyMap<string, string> = new Map([
  ['20', 'K'],
  ['26', 'M'],
]);
const STATE_NUMBER = /^(?:STATEHIGHWAY|HIGHWAY)?([A-Z]?)(\d{1,3}[A-Z]*)$/;

/** The keys that a highway of a state may also have: in Michigan `M28` is `STATEHIGHWAY28`. */
export function otherStateKeys(name: string, stateFips: string): string[] {
  const own = LETTERS_BEFORE.get(stateFips);
  const [, letter = '', number = ''] = (own && STATE_NUMBER.exec(name)) || [];
  const isOfState = letter === own || (letter === '' && name !== number);
  if (own === undefined || number === '' || !isOfState) return [];
  const others = [KINDS.state + number, KINDS.any + number, KINDS.state + own + number, own + number];
  return [...others, KINDS.any + own + number].filter((other) => other !== name);
}

const ALTERNATIVES: readonly (readonly [Kind, readonly Kind[]])[] = [
  ['any', ['state', 'us', 'county', 'farm', 'interstate', 'loop']],
  ['state', ['any']],
  ['us', ['any']],
  ['county', ['any']],
  ['farm', ['any']],
];
const NUMBER_AND_MORE = /^\d+[A-Z]*$/;

/** The same number on highways of kinds that people confuse with this one: `HIGHWAY5` may be `STATEHIGHWAY5`. */
export function similarHighways(name: string): string[] {
  for (const [kind, others] of ALTERNATIVES) {
    const whole = KINDS[kind];
    if (!name.startsWith(whole)) continue;
    const number = name.slice(whole.length);
    if (NUMBER_AND_MORE.test(number)) {
      // `US 90A` for US Highway 90 Alternate.
      const alternate = number.endsWith('A') ? [kind, ...others].map((each) => `${KINDS[each]}${number}LTERNATE`) : [];
      return [...others.map((other) => KINDS[other] + number), ...alternate];
    }
    if (LETTERS.test(number))
      return others.filter((other) => LETTERED.has(other)).map((other) => KINDS[other] + number);
  }
  return [];
}
