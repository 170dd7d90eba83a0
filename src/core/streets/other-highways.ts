import { isDigitAt } from '../digits.js';
import { isOneSlipAway } from '../slips.js';
import { STATES } from '../states.js';
import {
  HIGHWAY_KEYS,
  HIGHWAY_LETTERS,
  HIGHWAY_NUMBER,
  type HighwayKind,
  isHighwayQualifier,
  readHighway,
} from './highways.js';
import { isDirection } from './street-directions.js';
import type { StreetName } from './street-name.js';
import { isStreetType, streetType } from './street-types.js';

// What else a highway may be called: words that are read as another one's, and the other keys that one may have.

/**
 * `State 12A` as `State Hwy 12A`; undefined for other words. Only a guess, since it may be apartment 12A on State Street.
 */
export function withHighwayWord([first = '', number = '', ...rest]: readonly string[]): string[] | undefined {
  return first === 'STATE' && HIGHWAY_NUMBER.test(number) ? [first, 'HWY', number, ...rest] : undefined;
}

/** What highways are called by, in words that are not much like others. */
const HIGHWAY_WORDS =
  `HWY HIGHWAY ROUTE RTE ROAD STATE COUNTY INTERSTATE FARM MARKET RANCH FOREST SERVICE NATIONAL TOWNSHIP PRIVATE PARISH
INDIAN`.split(/\s/);

/**
 * The words with one before a highway's number mended, as far as that makes them one's name: `US Hyw 89` as `US Hwy 89`,
 * `State Ruote 12` as `State Route 12`. The possible readings, of which there may be none.
 */
export function withHighwayMended(words: readonly string[]): string[][] {
  const number = words.findIndex((word) => HIGHWAY_NUMBER.test(word));
  const isHighway = (read: readonly string[]): boolean => (readHighway(read)?.words ?? 0) > number;
  if (number < 1) return [];
  return words.slice(0, number).flatMap((word, at) => {
    // `Branch Rd 5` is no ranch road, and `Fwy 360` a freeway.
    if (at === 0 && isStreetType(word)) return [];
    const meant = HIGHWAY_WORDS.filter((other) => isOneSlipAway(word, other));
    return meant.map((other) => words.with(at, other)).filter(isHighway);
  });
}

/**
 * `89 Hwy N`, `N 89 Highway`, `SE HH Hwy` and `20 US Hwy` as `Hwy 89 N`, `N Hwy 89`, `SE Hwy HH` and `US Hwy 20`; undefined
 * for other words.
 */
export function withNumberLast(words: readonly string[]): readonly string[] | undefined {
  const at = words.findIndex((word) => word === 'HWY' || word === 'HIGHWAY') - 1;
  const isFirst = at === 0 || (at === 1 && isDirection(words[0] ?? ''));
  const [number = '', highway = '', next = ''] = words.slice(at, at + 3);
  const isTurned = HIGHWAY_NUMBER.test(number)
    ? !HIGHWAY_NUMBER.test(next)
    : next === '' && HIGHWAY_LETTERS.test(number) && !isStreetType(number);
  return isFirst && isTurned ? words.toSpliced(at, 2, highway, number) : withNumberBehindKind(words);
}

function withNumberBehindKind(words: readonly string[]): readonly string[] | undefined {
  const number = words[0] ?? '';
  if (!isDigitAt(number, 0) || words.length < 2 || !HIGHWAY_NUMBER.test(number)) return undefined;
  const turned = [...words.slice(1), number];
  return readHighway(turned)?.words === turned.length ? turned : undefined;
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

const COUNTY = new Set(['COUNTY', 'CO', 'CNTY', 'CTY']);
const WORD = /^[A-Z]{3,}$/;

/**
 * `Weld County Road 34` as `County Road 34`; undefined for other words. Only a guess, since the next county may have a road of
 * that number, too.
 */
export function withoutCountyName([name = '', ...road]: readonly string[]): readonly string[] | undefined {
  if (!COUNTY.has(road[0] ?? '') || !WORD.test(name) || isHighwayQualifier(name) || isDirection(name)) return undefined;
  return readHighway(road) && road;
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

const FLORIDA = '12';
/** The keys of Florida's highway along the coast, of which `A1A` is not read as a number. */
const COASTAL_KEYS = ['STATEROAD', 'STATEHIGHWAY', 'STATEROUTE', 'SR', 'HIGHWAY', 'USHIGHWAY', 'FLORIDA', 'FL', ''].map(
  (kind) => `${kind}A1A`,
);

/** The keys that a highway of a state may also have: in Michigan `M28` is `STATEHIGHWAY28`, in Florida `A1A` `SRA1A`. */
export function otherStateKeys(name: string, stateFips: string): string[] {
  if (stateFips === FLORIDA && COASTAL_KEYS.includes(name)) return COASTAL_KEYS.filter((other) => other !== name);
  const own = LETTERS_BEFORE.get(stateFips);
  const [, letter = '', number = ''] = (own && STATE_NUMBER.exec(name)) || [];
  const isOfState = letter === own || (letter === '' && name !== number);
  if (own === undefined || number === '' || !isOfState) return [];
  const others = [
    HIGHWAY_KEYS.state + number,
    HIGHWAY_KEYS.any + number,
    HIGHWAY_KEYS.state + own + number,
    own + number,
  ];
  return [...others, HIGHWAY_KEYS.any + own + number].filter((other) => other !== name);
}

/** Of these kinds some highways have letters instead of numbers: `County Road B`, `State Hwy AA`. */
const LETTERED_KINDS: ReadonlySet<HighwayKind> = new Set<HighwayKind>(['county', 'state', 'any']);
const ALTERNATIVES: readonly (readonly [HighwayKind, readonly HighwayKind[]])[] = [
  ['any', ['state', 'us', 'county', 'farm', 'interstate', 'loop']],
  ['state', ['any']],
  ['us', ['any']],
  ['county', ['any']],
  ['farm', ['any']],
];
const NUMBER_AND_MORE = /^\d+[A-Z]*$/;

const ROAD_ALONE = /^ROAD(\d+[A-Z]?)$/;
/** What `Road 112` may mean where no road has only this name. */
const NUMBERED_ROADS: readonly HighwayKind[] = ['county', 'state', 'township', 'forest', 'private', 'parish'];

/**
 * The same number on highways of kinds that people confuse with this one: `HIGHWAY5` may be `STATEHIGHWAY5`, and `ROAD5`
 * `COUNTYROAD5`.
 */
export function similarHighways(name: string): string[] {
  const [, road] = ROAD_ALONE.exec(name) ?? [];
  if (road !== undefined) return NUMBERED_ROADS.map((kind) => HIGHWAY_KEYS[kind] + road);
  for (const [kind, others] of ALTERNATIVES) {
    const whole = HIGHWAY_KEYS[kind];
    if (!name.startsWith(whole)) continue;
    const number = name.slice(whole.length);
    if (NUMBER_AND_MORE.test(number)) {
      // `US 90A` for US Highway 90 Alternate.
      const alternate = number.endsWith('A')
        ? [kind, ...others].map((each) => `${HIGHWAY_KEYS[each]}${number}LTERNATE`)
        : [];
      return [...others.map((other) => HIGHWAY_KEYS[other] + number), ...alternate];
    }
    if (HIGHWAY_LETTERS.test(number))
      return others.filter((other) => LETTERED_KINDS.has(other)).map((other) => HIGHWAY_KEYS[other] + number);
  }
  return [];
}

const KEY_BESIDE =
  /^((?:INTERSTATE|(?:US|STATE)?HIGHWAY|STATELOOP)\d+[A-Z]*?)(FRONTAGE|FEEDER|SERVICE|ACCESS)(?:ROAD)?$/;
/** Houses with the address of an interstate are on the roads beside it. */
const INTERSTATE = /^(INTERSTATE\d+[A-Z]?)$/;

/** The keys that a road beside a highway may also have: it is a feeder in Houston, and a service road in Oklahoma. */
export function otherRoadsBeside(name: string): string[] {
  const [, highway, beside] = KEY_BESIDE.exec(name) ?? INTERSTATE.exec(name) ?? [];
  if (highway === undefined) return [];
  const others = ['FRONTAGE', 'FEEDER', 'SERVICE', 'ACCESS'].flatMap((word) => [`${word}ROAD`, word]);
  return others.filter((word) => word !== beside && word !== `${beside}ROAD`).map((word) => highway + word);
}

const ON_GRID = /^(COUNTYROAD)?(\d{2,4})$/;

/**
 * `N Co Rd 500 W` as `N 500 W`, and the other way round: people write both where county roads are named after their
 * distances from two axes, as in Indiana. Undefined for other streets.
 */
export function otherRoadOfGrid(street: StreetName): StreetName | undefined {
  const { before, after, type, key } = street;
  const [, county = '', number = ''] = ON_GRID.exec(key) ?? [];
  if (number === '' || type !== '' || before === 0 || after === 0) return undefined;
  return { ...street, key: county === '' ? HIGHWAY_KEYS.county + number : number };
}
