import { plainWords } from '../../core/streets/fold-text.js';
import type { HouseNumber } from '../../core/streets/house-number.js';
import { spellingOf } from '../../core/streets/street-name.js';
import { type AddressShard, NO_TRACT, UNKNOWN_ZIP } from '../../format/addresses/shard.js';
import type { MatchType } from '../geocoder.js';
import { TIE_MARGIN } from './scores.js';

/** An address range that may be the one meant. */
export interface Candidate {
  readonly shard: AddressShard;
  readonly run: number;
  /** The range's row. */
  readonly range: number;
  readonly number: HouseNumber;
  /** The street's words as they were asked for. */
  readonly asked: readonly string[];
  readonly score: number;
  readonly type: MatchType;
  /** Position of the address's city, if it is known to use the range's ZIP; else −1. */
  readonly city: number;
}

/** More equally good candidates than this, of which no two are of one run in one place, are a tie in any case. */
const KEPT_MAX = 64;

/**
 * The best candidates so far. A class because V8 creates a new hidden class for every object literal with a getter, and
 * keeps it, with all that its functions close over, until the next full collection: 0.4 KB an address, and half as much
 * time again for each young-generation collection.
 */
export class Candidates {
  #best = 0;
  #kept: Candidate[] = [];

  /** The best score; 0 if there is no candidate. */
  get best(): number {
    return this.#best;
  }

  /** Candidates about as good as the best, in the order in which they were added; see {@link isNothingNew}. */
  get kept(): readonly Candidate[] {
    return this.#kept;
  }

  add(candidate: Candidate): void {
    const { score } = candidate;
    if (score < this.#best - TIE_MARGIN || score <= 0) return;
    if (this.#kept.some((other) => isNothingNew(candidate, other))) return;
    if (score > this.#best) {
      this.#best = score;
      this.#kept = this.#kept.filter((other) => other.score >= score - TIE_MARGIN);
    }
    if (this.#kept.length < KEPT_MAX) this.#kept.push(candidate);
    else {
      // A better candidate must not be dropped in favour of slightly worse ones.
      const worse = this.#kept.findIndex((other) => other.score < score);
      if (worse >= 0) this.#kept[worse] = candidate;
    }
  }

  /** Adds what another search has kept. */
  addAll({ kept }: Candidates): void {
    for (const candidate of kept) this.add(candidate);
  }

  /** The first of the best, or a tie if equally good ones are in different places; undefined if there is none. */
  decide(): Candidate | 'tie' | undefined {
    if (this.#kept.length === 1) return this.#kept[0];
    const [first, ...others] = spelledAsAsked(this.#kept).toSorted((a, b) => b.score - a.score);
    if (!first) return undefined;
    return others.some((other) => !isSamePlace(first, other)) ? 'tie' : first;
  }
}

/**
 * Whether a candidate is of the same run as another one that was added before it, is in the same place, and is no better:
 * then nothing depends on it.
 */
const isNothingNew = (candidate: Candidate, other: Candidate): boolean =>
  other.run === candidate.run &&
  other.score >= candidate.score &&
  isOneStreet(candidate, other) &&
  isSamePlace(candidate, other);

/**
 * If the candidates are streets of one ZIP whose names differ only in spaces, those spelled as asked for; otherwise, or
 * if none is, all of them.
 */
function spelledAsAsked(candidates: readonly Candidate[]): readonly Candidate[] {
  const [first, ...others] = candidates;
  if (!first || others.every((other) => isOneStreet(first, other))) return candidates;
  if (!others.every((other) => areNamesakes(first, other))) return candidates;
  const spelled = candidates.filter((one) => spellingOf(streetOf(one)) === spellingOf(one.asked));
  return spelled.length > 0 ? spelled : candidates;
}

const isOneStreet = (a: Candidate, b: Candidate): boolean =>
  a.shard === b.shard && a.shard.runStreets[a.run] === b.shard.runStreets[b.run];

/**
 * Whether two streets are in one ZIP and differ only in spaces. `First St` and `1st St` do not count: which of the two is
 * written says little.
 */
function areNamesakes(a: Candidate, b: Candidate): boolean {
  const zip = a.shard.runZips[a.run] ?? UNKNOWN_ZIP;
  const [one, other] = [a, b].map((candidate) => streetOf(candidate).join(''));
  return zip !== UNKNOWN_ZIP && zip === b.shard.runZips[b.run] && one === other;
}

const streetOf = ({ shard, run }: Candidate): readonly string[] =>
  plainWords(shard.streetName(shard.runStreets[run] ?? 0));

/** Whether every candidate of one set is in the same place as every candidate of the other. */
export function isOnePlace(one: Candidates, other: Candidates): boolean {
  return one.kept.every((a) => other.kept.every((b) => isSamePlace(a, b)));
}

/** Whether every candidate of one set is in the place of some candidate of the other. */
export function isAmong(one: Candidates, other: Candidates): boolean {
  return one.kept.every((a) => other.kept.some((b) => isSamePlace(a, b)));
}

/** Whether two candidates are in one tract or, if no outline is loaded there, on one street of a ZIP. */
function isSamePlace(a: Candidate, b: Candidate): boolean {
  const tract = a.shard.rangeTracts[a.range];
  if (tract !== b.shard.rangeTracts[b.range]) return false;
  if (tract !== NO_TRACT) return true;
  const zip = a.shard.runZips[a.run] ?? UNKNOWN_ZIP;
  return isOneStreet(a, b) && zip !== UNKNOWN_ZIP && zip === b.shard.runZips[b.run];
}
