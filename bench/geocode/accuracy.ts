import { stateByFips } from '../../src/core/states.js';
import type { GeocodeResult } from '../../src/geocode/geocoder.js';
import { createRandom } from '../../src/load/synthetic/random.js';
import { type AddressParts, DAMAGES, type Damage, damaged } from './damage.js';
import { editDistance, liesBeside } from './judge.js';
import { hasNumber, numbersOf, type OfficialRange } from './official-ranges.js';

/** How addresses of one kind of damage fared. */
export interface DamageRow {
  readonly damage: Damage;
  readonly asked: number;
  /** In the right place: stretch of street and side; or of another that the damaged address names as well, in the same tract. */
  readonly right: number;
  /** Told as ambiguous, and the damage does leave two places in different tracts. */
  readonly tied: number;
  /** Told as ambiguous or unknown, without need. */
  readonly missed: number;
  /** In another place of the right tract. */
  readonly misplaced: number;
  readonly wrongTract: number;
  /** Some of those that are neither right nor rightly tied, to look at. */
  readonly examples: readonly string[];
}

/** What is measured. */
export interface Measured {
  readonly geocode: (address: string) => GeocodeResult;
  readonly ranges: readonly OfficialRange[];
  /** The tract at a point; undefined where the point decides nothing. */
  readonly tractAt: (point: { readonly lat: number; readonly lng: number }) => number | undefined;
  readonly seed: number;
}

const EXAMPLES = 8;

/** Makes addresses of every range, both sides, damages them in every way, and says what becomes of them. */
export function measureAccuracy({ geocode, ranges, tractAt, seed }: Measured): DamageRow[] {
  const byStreet = groupRanges(ranges);
  return DAMAGES.map((damage) => {
    const random = createRandom(seed, damage.name);
    const counts = { asked: 0, right: 0, tied: 0, missed: 0, misplaced: 0, wrongTract: 0 };
    const examples: string[] = [];
    for (const range of ranges) {
      for (const number of numbersOf(range)) {
        const parts = {
          number,
          street: range.street,
          state: stateByFips(range.stateFips)?.abbreviation ?? '',
          zip: range.zip,
        };
        const address = damaged(parts, damage, random);
        if (!address) continue;
        if (namesAnother(address, range, byStreet)) continue;
        const equals = (): OfficialRange[] => equalRanges(address, range, damage, byStreet);
        const outcome = judge(geocode(address.text), range, equals, tractAt);
        counts.asked++;
        counts[outcome]++;
        if (outcome !== 'right' && outcome !== 'tied' && examples.length < EXAMPLES)
          examples.push(`${outcome}: ${address.text}`);
      }
    }
    return { damage, ...counts, examples };
  });
}

/** Whether the damage has made it the very address of another street. */
function namesAnother(
  { number, street, zip }: AddressParts,
  own: OfficialRange,
  byStreet: ReadonlyMap<string, readonly OfficialRange[]>,
): boolean {
  if (street === own.street) return false;
  return (byStreet.get(street) ?? []).some((other) => other.zip === zip && hasNumber(other, number));
}

type Outcome = 'right' | 'tied' | 'missed' | 'misplaced' | 'wrongTract';

function judge(
  result: GeocodeResult,
  range: OfficialRange,
  equals: () => readonly OfficialRange[],
  tractAt: Measured['tractAt'],
): Outcome {
  const tractOf = ({ line, side }: OfficialRange): number | undefined => tractAt(besideMiddle(line, side));
  const own = tractOf(range);
  if ('noMatch' in result) {
    if (result.noMatch !== 'tie') return 'missed';
    const apart = equals().some((other) => tractOf(other) !== own || other.stateFips !== range.stateFips);
    return apart ? 'tied' : 'missed';
  }
  if (liesBeside(range, result)) return 'right';
  const found = tractAt(result);
  if (own !== undefined && found !== undefined && own !== found) return 'wrongTract';
  return equals().some((other) => liesBeside(other, result)) ? 'right' : 'misplaced';
}

const OFFSET_DEGREES = 1e-4;

/** A point some ten metres beside the middle of a line. */
function besideMiddle(line: OfficialRange['line'], side: OfficialRange['side']): { lat: number; lng: number } {
  const at = Math.max(1, line.length >> 1);
  const [[aLng, aLat], [bLng, bLat]] = [line[at - 1] ?? [0, 0], line[at] ?? [0, 0]];
  const length = Math.hypot(bLng - aLng, bLat - aLat) || 1;
  const aside = ((side === 'left' ? 1 : -1) * OFFSET_DEGREES) / length;
  return { lat: (aLat + bLat) / 2 + (bLng - aLng) * aside, lng: (aLng + bLng) / 2 - (bLat - aLat) * aside };
}

function groupRanges(ranges: readonly OfficialRange[]): ReadonlyMap<string, readonly OfficialRange[]> {
  const groups = new Map<string, OfficialRange[]>();
  for (const range of ranges) groups.set(range.street, [...(groups.get(range.street) ?? []), range]);
  return groups;
}

/** The ranges that the damaged address names as well as its own: all streets are compared with it, one by one. */
function equalRanges(
  { number, street, zip }: AddressParts,
  own: OfficialRange,
  damage: Damage,
  byStreet: ReadonlyMap<string, readonly OfficialRange[]>,
): OfficialRange[] {
  const allowed = damage.name === 'one typo' ? 1 : 0;
  const undamage = damage.name === 'wrong suffix' || !damage.street ? undefined : damage.street;
  const equals: OfficialRange[] = [];
  for (const [other, ranges] of byStreet) {
    if (!namesAlike(street, other, own.street, allowed, undamage)) continue;
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
  typosAllowed: number,
  undamage: Damage['street'],
): boolean {
  if (other === own || other.toLowerCase() === text.toLowerCase()) return true;
  if (typosAllowed > 0) {
    return Math.abs(text.length - other.length) <= 1 && editDistance(text.toLowerCase(), other.toLowerCase()) <= 1;
  }
  return undamage?.(other, { next: () => 0, normal: () => 0 })?.toLowerCase() === text.toLowerCase();
}
