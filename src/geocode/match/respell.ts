import { isOneSlipAway } from '../../core/slips.js';
import { plainWords } from '../../core/streets/fold-text.js';
import { ordinalFigures, ordinalsLike } from '../../core/streets/ordinals.js';
import {
  otherRoadOfGrid,
  otherRoadsBeside,
  otherStateKeys,
  similarHighways,
  withHighwayMended,
  withHighwayWord,
  withOtherStateRoad,
  withoutCountyName,
} from '../../core/streets/other-highways.js';
import {
  otherReadings,
  withOtherArticle,
  withTypeInNameMended,
  withTypeOnce,
  withWordOnce,
} from '../../core/streets/other-readings.js';
import {
  withEndDirectionApart,
  withHighwayLetterJoined,
  withLetterApart,
  withShortTypeApart,
  withSpaceMoved,
} from '../../core/streets/other-spaces.js';
import { areOneInFull, parseStreetName, type StreetName, withLetterLast } from '../../core/streets/street-name.js';
import { isRoad, isStreetType } from '../../core/streets/street-types.js';
import type { AddressShard } from '../../format/addresses/shard.js';
import { ordinalEnding } from '../parse/misread.js';
import { isLetter } from '../parse/words.js';
import type { Candidates } from './candidates.js';
import { type Collect, collectOther, type Query } from './collect.js';
import { type Mended, mendType } from './misspelled-type.js';
import { COST, slipCost } from './scores.js';
import { type AskedStreet, isNameAsAsked } from './there-as-asked.js';

/** A street that was not found as written. */
interface Asked extends AskedStreet {
  /** Whether it exists where the address says, though without the number. */
  readonly isThere: boolean;
  /** Other readings of its words. */
  readonly others: readonly StreetName[];
  /** What it is if its type is misspelled. */
  readonly mended: Mended;
}

/** What people write otherwise than the Census Bureau. */
interface Respelling {
  /** What it subtracts from the score. */
  readonly cost: number;
  /** The streets that may be meant; whether they exist does not matter. */
  readonly streets: (asked: Asked) => readonly StreetName[];
  /** Whether the streets may be highways whose kind is mistaken, too. */
  readonly isOfHighways?: true;
}

/** The respellings to try before typos: of equally good candidates, those that were added first are preferred. */
const BEFORE_TYPOS: readonly Respelling[] = Object.values<Respelling>({
  /** `150 Alameda` for The Alameda. */
  article: { cost: COST.articleOther, streets: ({ split }) => listOf(withOtherArticle(split.words)) },
  /** `150 Lakeview` for Lake View Drive, `150 Four Mile Rd` for 4 Mile Road: the words as written, read otherwise. */
  reading: { cost: 0, streets: ({ others }) => others, isOfHighways: true },
  /** `150 Riverside Drive Dr`. Only if nothing follows the street: `150 Mill St St George` is in Saint George. */
  typeTwice: {
    cost: 0,
    streets: ({ split, street }) => (split.isAll ? listOf(withTypeOnce(split.words, street)) : []),
  },
  /** `150 N N Main St` for N Main Street, unless that is there: `Walla Walla Ave` is not Walla Avenue. */
  wordTwice: {
    cost: COST.spaceMissing,
    streets: ({ isThere, split }) => (isThere ? [] : listOf(withWordOnce(split.words))),
  },
  /** `150 NMain St` for N Main Street, `150 Oakst` for Oak Street, `150 US Hwy 12E` for US Highway 12 E. */
  spaceMissing: { cost: COST.spaceMissing, streets: withSpaceAdded, isOfHighways: true },
  /** `150 Route 9 N` for State Route 9N: as likely as for a US Highway 9 that is not written with its `N`. */
  letterApart: {
    cost: COST.spaceMissing,
    streets: ({ split }) => listOf(withHighwayLetterJoined(split.words)),
    isOfHighways: true,
  },
  /** `150 State Rd E` for State Highway E, which is lettered, and the other way round. */
  letterOrDirection: { cost: COST.highwayKind, streets: withOtherStateRoadThere, isOfHighways: true },
  /** `150 N CR 500 W` for N 500 W, and the other way round, unless both are there. */
  roadOfGrid: {
    cost: COST.highwayKind,
    streets: ({ isThere, street }) => (isThere ? [] : listOf(otherRoadOfGrid(street))),
  },
  /** `150 I-35 Feeder Rd`, or `150 I-35`, for I-35 Frontage Road, unless both are there. */
  roadBeside: { cost: COST.highwayKind, streets: withOtherRoadBeside, isOfHighways: true },
  /** `150 M-28` for State Highway 28, and the other way round, in Michigan; `150 A1A` for State Road A1A in Florida. */
  letterOfState: {
    cost: COST.highwayKind,
    streets: ({ street: { type, ...street }, shard }) =>
      otherStateKeys(street.key, shard.stateFips).map((key) => ({ ...street, key, type: type === 'HWY' ? '' : type })),
  },
  /** `150 Mai nSt` for Main Street. */
  spaceMoved: { cost: COST.slip, streets: ({ split }) => withSpaceMoved(split.words) },
  /** `150 N Ave` for Avenue N, unless there is a North Avenue. */
  letterFirst: {
    cost: COST.highwayKind,
    streets: ({ isThere, split }) => (isThere ? [] : listOf(withLetterLast(split.words))),
  },
  /** `150 Highway 5` for State Highway 5. */
  highwayKind: { cost: COST.highwayKind, streets: ({ street }) => ofOtherKinds(street) },
});

/** The respellings to try after typos. */
const AFTER_TYPOS: readonly Respelling[] = Object.values<Respelling>({
  /** `150 State 12A` for State Highway 12A. */
  highwayWordMissing: {
    cost: COST.highwayWordMissing,
    streets: ({ split }) => listOf(parseStreetName(withHighwayWord(split.words) ?? [])),
  },
  /** `150 US Hyw 89` for US Highway 89, `150 State Ruote 12` for State Road 12: all such have one key. */
  highwayMisspelled: {
    cost: COST.slip,
    streets: ({ split }) => withHighwayMended(split.words).flatMap((words) => listOf(parseStreetName(words))),
    isOfHighways: true,
  },
  /** `150 Weld County Road 34` for County Road 34, unless both are there. */
  countyNamed: {
    cost: COST.countyLeftOut,
    streets: ({ isThere, split }) => (isThere ? [] : listOf(parseStreetName(withoutCountyName(split.words) ?? []))),
  },
  /** `150 Main Steet` for Main Street. */
  typeMisspelled: { cost: COST.typeMisspelled, streets: ({ mended }) => mended.withType },
  /** The same for the Main Road that there is. */
  typeUnreadable: { cost: COST.typeUnreadable, streets: ({ mended }) => mended.withoutType },
  /** `150 5YH Ave` for 5th Avenue. */
  ordinalMisspelled: { cost: COST.slip, streets: ({ street }) => withoutOrdinalEnding(street) },
});

/** Adds the ranges of the streets that may be meant by a street that was not found as written. */
export function respell(query: Query, collectName: Collect, candidates: Candidates): void {
  const { split, street, shard, zip } = query;
  const isThere = isNameAsAsked(query);
  const others = otherReadings(split.words, street, isThere);
  const asked: Asked = { split, street, shard, zip, isThere, others, mended: mendType(split) };
  for (const respelling of BEFORE_TYPOS) collectRespelled(query, respelling, asked, collectName, candidates);
  // `150 Maim St` is no typo where there is a Maim Street.
  if (!isThere && !isRoadAlone(split.words)) collectWithTypos(query, asked, collectName, candidates);
  for (const respelling of AFTER_TYPOS) collectRespelled(query, respelling, asked, collectName, candidates);
}

function collectRespelled(
  query: Query,
  { cost, streets, isOfHighways }: Respelling,
  asked: Asked,
  collectName: Collect,
  candidates: Candidates,
): void {
  for (const street of streets(asked)) {
    collectOther(query, street, cost, collectName, candidates);
    if (!isOfHighways) continue;
    for (const other of ofOtherKinds(street)) {
      collectOther(query, other, cost + COST.highwayKind, collectName, candidates);
    }
  }
}

/** Adds the ranges of names that are one typo away from the street or from another reading of it: `150 Mian St`. */
function collectWithTypos(query: Query, asked: Asked, collectName: Collect, candidates: Candidates): void {
  const { split, street, shard, others } = asked;
  for (const spelled of [street, ...others]) {
    const isAsWritten = spelled === street;
    // A reading whose whole name is a street type is not respelled: `North Ln` is not North Lake Rd.
    if (!isAsWritten && isStreetType(spelled.key)) continue;
    const slipped: Query = { ...query, street: spelled, cost: query.cost + slipCost(spelled.key), isSlipped: true };
    for (const name of shard.namesSpelledLike(spelled.key)) {
      if (isAsWritten && isSpelledInFull(split.words, shard, name)) collectName(query, name, candidates);
      // `NMAIN` for `N Main` differs from `MAIN` by a direction read as part of the name, not by a typo.
      if (isAsWritten || shard.nameKey(name) !== street.key) collectName(slipped, name, candidates);
    }
  }
  // `150 Forth St` for 4th Street, whose name has no letters to compare with.
  const slipped: Query = { ...query, cost: query.cost + slipCost(street.key), isSlipped: true };
  for (const key of ordinalsLike(street.key)) collectOther(slipped, { ...street, key }, 0, collectName, candidates);
  for (const mended of withTypeInNameMended(split.words)) collectOther(slipped, mended, 0, collectName, candidates);
}

/** `Road`, `C Rd`: in `150 Road 12A` and `150 C Rd 5` what follows is the road's number, and neither is on Broad Street. */
const isRoadAlone = (words: readonly string[]): boolean =>
  isRoad(words.at(-1) ?? '') && words.slice(0, -1).every((word) => isLetter(word));

/** Whether a name's streets differ from the words asked for in spaces alone, and not by a typo. */
function isSpelledInFull(words: readonly string[], shard: AddressShard, name: number): boolean {
  const end = shard.nameRuns[name + 1] ?? 0;
  for (let run = shard.nameRuns[name] ?? 0; run < end; run++) {
    if (!areOneInFull(words, plainWords(shard.streetName(shard.runStreets[run] ?? 0)))) return false;
  }
  return true;
}

const listOf = (street: StreetName | undefined): readonly StreetName[] => (street ? [street] : []);

/** None for a highway that the state has: 9N is not Highway 9 going north then. */
function withSpaceAdded({ split, street, shard }: Asked): StreetName[] {
  const streets = [withLetterApart, withShortTypeApart, withEndDirectionApart].flatMap(
    (read) => read(split.words) ?? [],
  );
  return streets.length > 0 && isHighway(street, shard) ? [] : streets;
}

/** Whether the state has a numbered highway of this name, perhaps of another kind. */
function isHighway({ key }: StreetName, shard: AddressShard): boolean {
  const others = similarHighways(key);
  return others.length > 0 && [key, ...others].some((name) => shard.findName(name) >= 0);
}

/** Only where it is just that: `State Hwy E` is neither E State Road nor State Street E. */
function withOtherStateRoadThere({ split, shard, zip }: Asked): readonly StreetName[] {
  const street = parseStreetName(withOtherStateRoad(split.words) ?? []);
  const others = street ? [street, ...ofOtherKinds(street)] : [];
  const isThere = others.some((other) =>
    isNameAsAsked({ shard, zip, split, street: other }, other.type === '' ? COST.directionMissing : 0),
  );
  return isThere ? listOf(street) : [];
}

/** None where the road is there, be it in another direction than written. */
function withOtherRoadBeside({ street, ...asked }: Asked): StreetName[] {
  const others = otherRoadsBeside(street.key).map((key) => ({ ...street, key }));
  if (others.length === 0 || asked.split.isBeforeRoadBeside) return [];
  return isNameAsAsked({ ...asked, street: { ...street, before: 0, after: 0 } }) ? [] : others;
}

const ofOtherKinds = (street: StreetName): StreetName[] =>
  similarHighways(street.key).map((key) => ({ ...street, key }));

/** Not with a letter that looks like a digit behind the digits: `1OWA`, `1OST`. */
const DIGITS_AND_LETTERS = /^(\d+)((?![OIL])[A-Z]{1,3})$/;

/**
 * The street whose name is an ordinal with one typo in its ending: `5YH` for `5TH`. None for correct ones and other names,
 * such as `5TAR` for Star.
 */
function withoutOrdinalEnding(street: StreetName): readonly StreetName[] {
  const [, figures, letters = ''] = DIGITS_AND_LETTERS.exec(street.key) ?? [];
  if (figures === undefined || ordinalFigures(street.key) !== undefined) return [];
  return isOneSlipAway(letters, ordinalEnding(Number(figures))) ? [{ ...street, key: figures }] : [];
}
