import { groupBy } from '../../src/core/group-by.js';
import { stateByFips } from '../../src/core/states.js';
import type { GeocodeResult } from '../../src/geocode/geocoder.js';
import { createRandom, type Random } from '../../src/load/synthetic/random.js';
import { type AddressParts, DAMAGES, type Damage, damaged } from './damage.js';
import { editDistance, liesBeside } from './judge.js';
import { hasNumber, numbersOf, type OfficialRange } from './official-ranges.js';

/** The results for addresses with one kind of damage. */
export interface DamageRow {
  readonly damage: Damage;
  readonly asked: number;
  /**
   * Located at the right stretch and side of the street, or at another one in the same tract that the damaged address
   * names equally well.
   */
  readonly right: number;
  /** Reported as ambiguous, and the damaged address does name places in different tracts. */
  readonly tied: number;
  /** Reported as ambiguous or unknown, although it is neither. */
  readonly missed: number;
  /** Located at another place in the right tract. */
  readonly misplaced: number;
  readonly wrongTract: number;
  /** A few of the addresses that are neither `right` nor `tied`, for inspection. */
  readonly examples: readonly string[];
}

/** The geocoder under test, and what its answers are judged by. */
export interface Measured {
  readonly geocode: (address: string) => GeocodeResult;
  readonly ranges: readonly OfficialRange[];
  readonly tractAt: (point: { readonly lat: number; readonly lng: number }) => number;
  readonly seed: number;
  /** How many addresses to ask for of each kind of damage, spread evenly over all; without it, for all of them. */
  readonly most?: number | undefined;
}

const EXAMPLES = 8;

/** Makes addresses of every range, damages them in every way, and counts how the geocoder answers them. */
export function measureAccuracy({
  geocode,
  ranges,
  tractAt,
  seed,
  most = Number.POSITIVE_INFINITY,
}: Measured): DamageRow[] {
  const byStreet = groupBy(ranges, ({ street }) => street);
  const byPlainName = groupBy(ranges, ({ street }) => plainName(street));
  return DAMAGES.map((damage) => {
    const counts = { asked: 0, right: 0, tied: 0, missed: 0, misplaced: 0, wrongTract: 0 };
    const examples: string[] = [];
    for (const { address, range } of spread(damagedAddresses(ranges, damage, createRandom(seed, damage.name)), most)) {
      if (namesAnother(address, range, byPlainName)) continue;
      const equals = (): OfficialRange[] => equalRanges(address, range, damage, byStreet);
      const outcome = judge(geocode(address.text), range, equals, tractAt);
      counts.asked++;
      counts[outcome]++;
      if (outcome !== 'right' && outcome !== 'tied' && examples.length < EXAMPLES)
        examples.push(`${outcome}: ${address.text}`);
    }
    return { damage, ...counts, examples };
  });
}

interface DamagedAddress {
  readonly address: NonNullable<ReturnType<typeof damaged>>;
  readonly range: OfficialRange;
}

/** The addresses of every range that this kind of damage affects. */
function damagedAddresses(ranges: readonly OfficialRange[], damage: Damage, random: Random): DamagedAddress[] {
  const all: DamagedAddress[] = [];
  for (const range of ranges) {
    const state = stateByFips(range.stateFips)?.abbreviation ?? '';
    for (const number of numbersOf(range)) {
      const address = damaged({ number, street: range.street, state, zip: range.zip }, damage, random);
      if (address) all.push({ address, range });
    }
  }
  return all;
}

/** As many of them as given, at even distances, or all if they are no more. */
const spread = <Item>(items: readonly Item[], most: number): readonly Item[] =>
  items.length <= most
    ? items
    : items.filter((_, at) => Math.floor((at * most) / items.length) !== Math.floor(((at + 1) * most) / items.length));

/** Whether the damaged address is exactly an address of another street. */
function namesAnother(
  { number, street, zip }: AddressParts,
  own: OfficialRange,
  byPlainName: ReadonlyMap<string, readonly OfficialRange[]>,
): boolean {
  const name = plainName(street);
  if (name === plainName(own.street)) return false;
  return (byPlainName.get(name) ?? []).some((other) => other.zip === zip && hasNumber(other, number));
}

/**
 * A street name without differences that do not matter: case, spaces within the name, and the ending of `3rd`. The last
 * word, usually the suffix, stays separate.
 */
function plainName(street: string): string {
  const words = street
    .toLowerCase()
    .split(' ')
    .map((word) => word.replace(/^(\d+)(?:st|nd|rd|th)$/, '$1'));
  return `${words.slice(0, -1).join('')} ${words.at(-1)}`;
}

type Outcome = 'right' | 'tied' | 'missed' | 'misplaced' | 'wrongTract';

function judge(
  result: GeocodeResult,
  range: OfficialRange,
  equals: () => readonly OfficialRange[],
  tractAt: Measured['tractAt'],
): Outcome {
  const own = tractsOf(range, tractAt);
  if ('noMatch' in result) {
    if (result.noMatch !== 'tie') return 'missed';
    const isApart = (other: OfficialRange): boolean => ![...tractsOf(other, tractAt)].some((tract) => own.has(tract));
    return equals().some(isApart) ? 'tied' : 'missed';
  }
  if (liesBeside(range, result)) return 'right';
  if (!own.has(tractAt(result))) return 'wrongTract';
  return equals().some((other) => liesBeside(other, result)) ? 'right' : 'misplaced';
}

/**
 * The tracts in which a range lies: one, unless a line of the made-up grid cuts the stretch of street in two. Official
 * tracts never do, because streets are divided into stretches at their boundaries.
 */
function tractsOf({ line, side }: OfficialRange, tractAt: Measured['tractAt']): Set<number> {
  const vertices = line.map(([lng, lat]) => tractAt({ lat, lng }));
  return new Set([tractAt(besideMiddle(line, side)), ...vertices]);
}

const OFFSET_DEGREES = 1e-4;

/** A point some ten metres to one side of the middle of a line. */
function besideMiddle(line: OfficialRange['line'], side: OfficialRange['side']): { lat: number; lng: number } {
  const at = Math.max(1, line.length >> 1);
  const [[aLng, aLat], [bLng, bLat]] = [line[at - 1] ?? [0, 0], line[at] ?? [0, 0]];
  const length = Math.hypot(bLng - aLng, bLat - aLat) || 1;
  const aside = ((side === 'left' ? 1 : -1) * OFFSET_DEGREES) / length;
  return { lat: (aLat + bLat) / 2 + (bLng - aLng) * aside, lng: (aLng + bLng) / 2 - (bLat - aLat) * aside };
}

/** The other ranges that the damaged address names equally well, found by comparing it with every street. */
function equalRanges(
  { number, street, zip }: AddressParts,
  own: OfficialRange,
  damage: Damage,
  byStreet: ReadonlyMap<string, readonly OfficialRange[]>,
): OfficialRange[] {
  const undamage = damage.name === 'wrong suffix' || !damage.street ? undefined : damage.street;
  const equals: OfficialRange[] = [];
  for (const [other, ranges] of byStreet) {
    if (!namesAlike(street, other, own.street, damage.typoIn, undamage)) continue;
    for (const range of ranges) {
      const inZip = damage.withoutZip === true || zip === '' || range.zip === '' || range.zip === zip;
      if (range !== own && range.stateFips === own.stateFips && inZip && hasNumber(range, number)) equals.push(range);
    }
  }
  return equals;
}

function namesAlike(
  text: string,
  other: string,
  own: string,
  typoIn: Damage['typoIn'],
  undamage: Damage['street'],
): boolean {
  if (other === own || other.toLowerCase() === text.toLowerCase()) return true;
  if (typoIn) {
    const written = typoIn(other);
    return Math.abs(text.length - written.length) <= 1 && editDistance(text.toLowerCase(), written.toLowerCase()) <= 1;
  }
  return undamage?.(other, { next: () => 0, normal: () => 0 })?.toLowerCase() === text.toLowerCase();
}
