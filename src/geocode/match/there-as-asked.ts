import { firstAtLeast } from '../../core/first-at-least.js';
import type { StreetName } from '../../core/streets/street-name.js';
import type { AddressShard } from '../../format/addresses/shard.js';
import { COST, nameCost } from './scores.js';
import type { Split } from './splits.js';

/** A street, and where an address says that it is. */
export interface AskedStreet {
  readonly shard: AddressShard;
  readonly zip: number | undefined;
  readonly split: Split;
  /** The street's parts as they are to be compared; usually the split's own. */
  readonly street: StreetName;
}

/**
 * Tells where a street exists as written, or with only its type missing: there, one in another direction is another
 * street, whatever its numbers, and one of another type is less likely meant. Each ZIP is examined once, those of the
 * city only on demand: O(ZIPs of the city × log runs of the name) in all.
 */
export class ThereAsAsked {
  #lastZip = -1;
  #isInLast = false;
  #isInWritten: boolean | undefined;
  #isInCity: boolean | undefined;

  constructor(
    private readonly asked: AskedStreet,
    private readonly name: number,
    /** What may be missing of it costs at most this much. */
    private readonly most: number = COST.typeMissing,
  ) {}

  /** Whether it is in this ZIP. Memoizes the last ZIP, since the ranges of one ZIP are adjacent. */
  inZip(zip: number): boolean {
    if (zip !== this.#lastZip)
      [this.#lastZip, this.#isInLast] = [zip, isAsAskedInZip(this.asked, this.name, zip, this.most)];
    return this.#isInLast;
  }

  /** Whether it is in the ZIP that the address names. */
  inWrittenZip(): boolean {
    const { zip } = this.asked;
    this.#isInWritten ??= zip !== undefined && isAsAskedInZip(this.asked, this.name, zip, this.most);
    return this.#isInWritten;
  }

  /** Whether it is in this ZIP, in the one that the address names, or in one of the address's city. */
  nearZip(zip: number): boolean {
    return this.inZip(zip) || this.inWrittenZip() || this.#inCity();
  }

  #inCity(): boolean {
    const { split, shard } = this.asked;
    this.#isInCity ??= split.city
      .zips()
      .some((at) => isAsAskedInZip(this.asked, this.name, shard.zips.codes[at] ?? 0, this.most));
    return this.#isInCity;
  }
}

/**
 * Whether the street exists as written where the address says: then its name is not a misspelling of another one, even if
 * it lacks the number. Without a ZIP or a known city, anywhere in the state counts. `most` is as in {@link ThereAsAsked}.
 */
export function isNameAsAsked(asked: AskedStreet, most: number = COST.typeMissing): boolean {
  const { shard, zip, split, street } = asked;
  const name = shard.findName(street.key);
  if (name < 0) return false;
  if (zip !== undefined) return new ThereAsAsked(asked, name, most).nearZip(zip);
  const decided = split.city.decidingZips();
  if (decided) return decided.some((at) => isAsAskedInZip(asked, name, shard.zips.codes[at] ?? 0, most));
  return isInRuns(asked, shard.nameRuns[name] ?? 0, shard.nameRuns[name + 1] ?? 0, most);
}

function isAsAskedInZip(asked: AskedStreet, name: number, zip: number, most: number): boolean {
  const { runZips, nameRuns } = asked.shard;
  const end = nameRuns[name + 1] ?? 0;
  const begin = firstAtLeast(runZips, zip, nameRuns[name] ?? 0, end);
  let behind = begin;
  while (behind < end && runZips[behind] === zip) behind++;
  return isInRuns(asked, begin, behind, most);
}

function isInRuns({ shard, street }: AskedStreet, begin: number, end: number, most: number): boolean {
  for (let run = begin; run < end; run++) {
    const row = shard.runStreets[run] ?? 0;
    const cost = nameCost(street, shard.streetType(row), shard.streetDirections[row] ?? 0);
    if (cost <= most) return true;
  }
  return false;
}
