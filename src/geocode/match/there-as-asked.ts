import { firstAtLeast } from '../../core/first-at-least.js';
import type { StreetName } from '../../core/street-name.js';
import type { AddressShard } from '../../format/addresses/shard.js';
import { COST, nameCost } from './scores.js';
import type { Split } from './splits.js';

/** A street, and where an address says that it is. */
export interface AskedStreet {
  readonly shard: AddressShard;
  readonly zip: number | undefined;
  readonly split: Split;
  readonly street: StreetName;
}

/**
 * Where a street is as it is written, but perhaps for its kind: there one in another direction is another street, whatever
 * its numbers, and one of another kind is less likely meant. Each ZIP is looked at once, those of the city only when they
 * are asked about: O(ZIPs of the city × log runs of the name) in all.
 */
export class ThereAsAsked {
  #lastZip = -1;
  #isInLast = false;
  #isInWritten: boolean | undefined;
  #isInCity: boolean | undefined;

  constructor(
    private readonly asked: AskedStreet,
    private readonly name: number,
  ) {}

  /** Whether it is in this ZIP. The ranges of one ZIP follow each other. */
  inZip(zip: number): boolean {
    if (zip !== this.#lastZip) [this.#lastZip, this.#isInLast] = [zip, isAsAskedInZip(this.asked, this.name, zip)];
    return this.#isInLast;
  }

  /** Whether it is in the ZIP that the address names. */
  inWrittenZip(): boolean {
    const { zip } = this.asked;
    this.#isInWritten ??= zip !== undefined && isAsAskedInZip(this.asked, this.name, zip);
    return this.#isInWritten;
  }

  /** Whether it is in this ZIP, in the one that the address names, or in one of its city. */
  nearZip(zip: number): boolean {
    return this.inZip(zip) || this.inWrittenZip() || this.#inCity();
  }

  #inCity(): boolean {
    const { split, shard } = this.asked;
    this.#isInCity ??= split.city.zips().some((at) => isAsAskedInZip(this.asked, this.name, shard.zips.codes[at] ?? 0));
    return this.#isInCity;
  }
}

/**
 * Whether the street is as it is written where the address says: then its name is no other one that is misspelt, even if
 * it has not the number. Without a ZIP or a city that is known, anywhere in the state.
 */
export function isNameAsAsked(asked: AskedStreet): boolean {
  const { shard, zip, split, street } = asked;
  const name = shard.findName(street.key);
  if (name < 0) return false;
  if (zip !== undefined) return new ThereAsAsked(asked, name).nearZip(zip);
  const decided = split.city.decidingZips();
  if (decided) return decided.some((at) => isAsAskedInZip(asked, name, shard.zips.codes[at] ?? 0));
  return isInRuns(asked, shard.nameRuns[name] ?? 0, shard.nameRuns[name + 1] ?? 0);
}

function isAsAskedInZip(asked: AskedStreet, name: number, zip: number): boolean {
  const { runZips, nameRuns } = asked.shard;
  const end = nameRuns[name + 1] ?? 0;
  const begin = firstAtLeast(runZips, zip, nameRuns[name] ?? 0, end);
  let behind = begin;
  while (behind < end && runZips[behind] === zip) behind++;
  return isInRuns(asked, begin, behind);
}

function isInRuns({ shard, street }: AskedStreet, begin: number, end: number): boolean {
  for (let run = begin; run < end; run++) {
    const row = shard.runStreets[run] ?? 0;
    const cost = nameCost(street, shard.streetType(row), shard.streetDirections[row] ?? 0);
    if (cost <= COST.typeMissing) return true;
  }
  return false;
}
