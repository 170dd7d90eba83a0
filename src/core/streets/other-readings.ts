import { isDigitAt } from '../digits.js';
import { otherCardinal } from './cardinals.js';
import { isBesideHighway, readHighway } from './highways.js';
import { ordinalFigures } from './ordinals.js';
import { withoutStateName } from './other-highways.js';
import { placeOfType } from './other-spaces.js';
import { directionCode, isDirection, splitOffDirection, wholeDirection } from './street-directions.js';
import { ARTICLE, parseStreetName, type Reading, type StreetName } from './street-name.js';
import { isStreetEnd, isStreetType, splitOffType, streetType, typesInFullLike } from './street-types.js';

/** What is usually read as a street type or a direction, but may belong to the name. */
const OF_NAME = {
  /** `Perrys Bridge` for Perrys Bridge Road. */
  type: { directions: true, type: false },
  /** `Nw Hope Rd` for New Hope Road, which is one typo away then. */
  directions: { directions: false, type: true },
  /** `Nw Edenton Road` for New Edenton Road Street, likewise. */
  both: { directions: false, type: false },
} as const satisfies Readonly<Record<string, Reading>>;
const UNUSUAL: readonly Reading[] = Object.values(OF_NAME);

/** A street's words, read as others; undefined for most streets. `usual` is the street as usually read. */
type Rewording = (words: readonly string[], usual: StreetName) => readonly string[] | undefined;

/** Each is tried by itself. Of equally good streets, that of the first is preferred. */
const REWORDINGS: readonly Rewording[] = Object.values<Rewording>({
  /** `Stmarys Pl` as `St Marys Pl`. */
  saintApart,
  /** `Lakeview` as `Lake View`. */
  typeApart,
  /** `Northwood Rd` as `North Wood Rd`. */
  directionApart,
  /** `Main Street Extension` as `Main St Extension`, and the other way round. */
  streetInName,
  /** `Green Mt Rd` as `Green Mtn Rd`, `Four Mile Rd` as `4 Mile Rd`. */
  spelledOtherwise,
  /** `Avenue of Americas` as `Avenue of the Americas`. */
  ofThe,
  /** `I-35 Frontage` as `I-35 Frontage Rd`. */
  roadBesideHighway,
  /** `Marin Luther King Jr Blvd` as `Marin Luther King Blvd`, which is one typo away from a key. */
  withoutJunior,
  /** `Adam Clayton Powell Blvd` as `Adam Clayton Powell Jr Blvd`. */
  withJunior,
  /** `Dr King Blvd` as `Martin Luther King Blvd`. */
  doctorKing,
  /** `NC State Hwy 37` as `State Hwy 37`. */
  withoutState: withoutStateName,
  /** `N C Hwy 55` as `NC Hwy 55`. */
  initialsJoined,
  /** `County Trunk B` as `County B`. */
  withoutTrunk,
  /** `E 4th South` as `E 400 South`. */
  hundredsOfGrid,
});

/**
 * Other readings of a street's words: `Perrys Bridge` may lack its `Rd`, `Nw Hope Rd` an `e`, `Lakeview` a space, and `8
 * Mile Rd` may be Eight Mile. Only readings whose name differs from the usual one's and, for a street that exists as
 * written, only those that read its type as a type.
 */
export function otherReadings(words: readonly string[], usual: StreetName, isThere = false): StreetName[] {
  const readings: StreetName[] = [];
  const add = (street: StreetName | undefined): void => {
    if (street && street.key !== usual.key && !readings.some(({ key }) => key === street.key)) readings.push(street);
  };
  for (const reading of readingsBesides(usual, isThere)) add(parseStreetName(words, reading));
  for (const reworded of REWORDINGS) add(parseStreetName(reworded(words, usual) ?? []));
  return readings;
}

/**
 * The readings to try of the words themselves. The last word of a street that exists is its type: `112th St E` is not 112th
 * Street Court E. Otherwise it may belong to a name whose type is left out: `Edenton Road` for Edenton Road Street.
 */
function readingsBesides({ type, before, after }: StreetName, isThere: boolean): readonly Reading[] {
  const isPlain = type === '' && before + after === 0;
  if (isPlain) return [];
  return isThere && isStreetEnd(type) ? [OF_NAME.directions] : UNUSUAL;
}

/** `STMARYS`, `MTVERNON`, `FTWORTH`, and many other words. */
const SAINT_AT_BEGIN = /^(ST|MT|FT)([A-Z]{3,})$/;

/** With the space that is missing behind a saint, a mount or a fort, which may follow a direction. */
function saintApart(words: readonly string[], { before }: StreetName): string[] | undefined {
  const at = before === 0 ? 0 : 1;
  const [, saint, name] = SAINT_AT_BEGIN.exec(words[at] ?? '') ?? [];
  return saint && name ? words.toSpliced(at, 1, saint, name) : undefined;
}

/** With the space that is missing before a street type in full. */
function typeApart(words: readonly string[], { type, after }: StreetName): string[] | undefined {
  const apart = type === '' && after === 0 ? splitOffType(words.at(-1) ?? '') : undefined;
  return apart && [...words.slice(0, -1), ...apart];
}

/** With the space that is missing behind a direction in full. */
function directionApart(words: readonly string[], { before }: StreetName): string[] | undefined {
  const apart = before === 0 ? splitOffDirection(words[0] ?? '') : undefined;
  return apart && [...apart, ...words.slice(1)];
}

/** With `St` for a `Street` within the name, where it is compared as `Saint`, or with `Street` for `St`. */
function streetInName(words: readonly string[]): string[] | undefined {
  const at = words.findIndex((word, index) => word === 'STREET' || (word === 'ST' && index > 0));
  return at < 0 || at === words.length - 1 ? undefined : words.with(at, words[at] === 'ST' ? 'STREET' : 'ST');
}

/** How states are abbreviated in names of streets, apart from what is a word or a name, too (`Ark`, `Miss`, `Tex`). */
const STATES_ABBREVIATED =
  `ALA ALABAMA|ARIZ ARIZONA|CALIF CALIFORNIA|COLO COLORADO|CONN CONNECTICUT|FLA FLORIDA|KANS KANSAS
MASS MASSACHUSETTS|MICH MICHIGAN|MINN MINNESOTA|NEBR NEBRASKA|OKLA OKLAHOMA|OREG OREGON|TENN TENNESSEE|WASH WASHINGTON
WIS WISCONSIN|WISC WISCONSIN|WYO WYOMING`
    .split(/[|\n]/)
    .map((entry) => entry.split(' '));

/**
 * Words with another spelling, and what people abbreviate otherwise than the Postal Service. Within a name `Dr` is compared
 * as `Drive`; `I St` is also written `Eye St`.
 */
const REWORDED: ReadonlyMap<string, string> = new Map([
  ['MT', 'MTN'],
  ['EYE', 'I'],
  ['DOCTOR', 'DR'],
  ['STA', 'SANTA'],
  ...['CR', 'CK'].map((word) => [word, 'CREEK'] as const),
  ...['HW', 'HGWY', 'HIGWAY'].map((word) => [word, 'HWY'] as const),
  ['CH', 'CHURCH'],
  ['BRDG', 'BRIDGE'],
  ['LDG', 'LANDING'],
  ['SPR', 'SPRING'],
  ['SPRS', 'SPRINGS'],
  ['ISL', 'ISLAND'],
  ['RR', 'RAILROAD'],
  ...['CO', 'CNTY', 'CTY'].map((word) => [word, 'COUNTY'] as const),
  ...['BWAY', 'BDWY'].map((word) => [word, 'BROADWAY'] as const),
  ['LP', 'LOOP'],
  ['MKT', 'MARKET'],
  ['PRIV', 'PRIVATE'],
  ['TSR', 'TR'],
  ['PCH', 'PACIFIC COAST HWY'],
  ...STATES_ABBREVIATED.map(([short = '', name = short]) => [short, name] as const),
]);

/** With the other spelling of each word that has one, except a highway's number. */
function spelledOtherwise(words: readonly string[]): string[] | undefined {
  const reworded = words.flatMap((word) => REWORDED.get(word)?.split(' ') ?? [word]);
  const isNumbered = readHighway(isDirection(words[0] ?? '') ? reworded.slice(1) : reworded) !== undefined;
  const others = isNumbered ? reworded : reworded.map((word, at) => otherCardinalAt(reworded, at) ?? word);
  return others.some((word, at) => word !== words[at]) ? others : undefined;
}

/** Undefined for the whole name, too: the key of `Two Ave` in digits would be that of 2nd Avenue. */
function otherCardinalAt(words: readonly string[], at: number): string | undefined {
  const word = words[at] ?? '';
  const isWholeName = at === 0 && (words.length === 1 || isStreetType(words[1] ?? ''));
  return isWholeName && !isDigitAt(word, 0) ? undefined : otherCardinal(word);
}

/** With the article behind `of` added or removed. */
function ofThe(words: readonly string[]): string[] | undefined {
  const at = words.indexOf('OF') + 1;
  if (at < 2) return undefined;
  return words[at] === ARTICLE ? words.toSpliced(at, 1) : words.toSpliced(at, 0, ARTICLE);
}

/** With the `Rd` of a frontage road: what follows a highway's number is no street type, and cannot be missing. */
function roadBesideHighway(words: readonly string[]): string[] | undefined {
  return isBesideHighway(words.at(-1) ?? '') ? [...words, 'RD'] : undefined;
}

const JUNIOR = 'JR';

/** Without the `Jr` that the keys of people who are honoured do not have. */
function withoutJunior(words: readonly string[]): string[] | undefined {
  const at = words.indexOf(JUNIOR);
  return at > 0 ? words.toSpliced(at, 1) : undefined;
}

/** With the `Jr` of a person of at least two names. */
function withJunior(words: readonly string[], { type, before, after }: StreetName): string[] | undefined {
  const end = words.length - (after > 0 ? 1 : 0) - (type === '' ? 0 : 1);
  const names = before > 0 ? end - 1 : end;
  return names < 2 || words.includes(JUNIOR) ? undefined : words.toSpliced(end, 0, JUNIOR);
}

const DOCTOR = new Set(['DR', 'DOCTOR']);

/** With the names of Dr. King. */
function doctorKing(words: readonly string[], { before }: StreetName): string[] | undefined {
  const at = before > 0 ? 1 : 0;
  const isDoctorKing = DOCTOR.has(words[at] ?? '') && words[at + 1] === 'KING';
  return isDoctorKing ? words.toSpliced(at, 2, 'MARTIN', 'LUTHER', 'KING') : undefined;
}

/** With one word for two initials that a highway begins with. */
function initialsJoined([first = '', second = '', ...rest]: readonly string[]): string[] | undefined {
  const initials = first + second;
  const joined = [initials, ...rest];
  return first.length === 1 && second.length === 1 && !isDirection(initials) && readHighway(joined)
    ? joined
    : undefined;
}

/** Without the word by which Wisconsin and Minnesota distinguish their highways from others. */
function withoutTrunk(words: readonly string[]): string[] | undefined {
  const at = words.findIndex((word) => word === 'TRUNK' || word === 'TRK');
  const rest = at < 0 ? [] : words.toSpliced(at, 1);
  return readHighway(rest) && rest;
}

/** With hundreds for the ordinal in a street grid that counts in these. */
function hundredsOfGrid(words: readonly string[], { type, after, key }: StreetName): string[] | undefined {
  const isOfGrid = type === '' && after > 0 && /^\d{1,2}$/.test(key);
  return isOfGrid ? words.map((word) => (ordinalFigures(word) === key ? `${key}00` : word)) : undefined;
}

/**
 * `W South` as W South Street, whose type is missing; usually read as West Street S. Undefined unless the street is a
 * direction and one that is a name.
 */
export function withDirectionAsName(words: readonly string[]): StreetName | undefined {
  const [before = 0, name = 0] = words.length === 2 ? words.map(directionCode) : [];
  return before > 0 && name > 0 ? { before, after: 0, type: '', key: wholeDirection(name) } : undefined;
}

/** The street with `The` before its name added or removed, as people often leave it out: `Alameda` for `The Alameda`. */
export function withOtherArticle(words: readonly string[]): StreetName | undefined {
  return parseStreetName(words[0] === ARTICLE ? words.slice(1) : [ARTICLE, ...words]);
}

/**
 * `N N Main St`, `North N Main St` and `Main Main St` with the word only once, as where columns were joined; undefined for
 * other names.
 */
export function withWordOnce(words: readonly string[]): StreetName | undefined {
  // `Mill St St George` is in Saint George.
  const isTwice = (word: string, at: number): boolean => word === words[at + 1] && !isStreetEnd(word);
  const at = areSameDirection(words) ? 0 : words.findIndex(isTwice);
  return at < 0 || words.length < LEAST_WITH_WORD_TWICE ? undefined : parseStreetName(words.toSpliced(at, 1));
}

/** The word twice, and a type or another word of the name. */
const LEAST_WITH_WORD_TWICE = 3;

const areSameDirection = ([first = '', second = '']: readonly string[]): boolean =>
  directionCode(first) > 0 && directionCode(first) === directionCode(second);

/**
 * `Riverside Drive Dr` with its type only once; lists that were put together from columns have it twice. Undefined for
 * other names.
 */
export function withTypeOnce(words: readonly string[], { type }: StreetName): StreetName | undefined {
  if (type === '') return undefined;
  const isType = (at: number): boolean => streetType(words[at] ?? '') === type;
  const at = words.findIndex((_, index) => index > 1 && isType(index) && isType(index - 1));
  return at < 0 ? undefined : parseStreetName(words.toSpliced(at, 1));
}

/**
 * `Parl Ave` as Park Ave, to whose key it is two typos away, since keys have `PRK` for `PARK`; the same for `Loop` and the
 * other words of a name that keys have in another spelling. The possible readings, of which there may be none.
 */
export function withTypeInNameMended(words: readonly string[]): StreetName[] {
  return words
    .slice(0, placeOfType(words))
    .flatMap((word, at) => typesInFullLike(word).flatMap((type) => parseStreetName(words.with(at, type)) ?? []));
}
