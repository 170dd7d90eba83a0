import { plainWords } from '../../core/fold-text.js';
import type { HouseNumber } from '../../core/house-number.js';
import { spellingOf } from '../../core/street-name.js';
import { type AddressShard, NO_TRACT, UNKNOWN_ZIP } from '../../format/addresses/shard.js';
import type { MatchType } from '../geocoder.js';
import { TIE_MARGIN } from './scores.js';

/** A range that may be meant. */
export interface Candidate {
  readonly shard: AddressShard;
  readonly run: number;
  /** The range's row. */
  readonly range: number;
  readonly number: HouseNumber;
  /** The street's words as they are asked for. */
  readonly asked: readonly string[];
  readonly score: number;
  readonly type: MatchType;
  /** The address's city in the ZIP, by position; −1 where it names none that is known there. */
  readonly city: number;
}

/** More equally good ones than these tie in any case, or are in one tract. */
const KEPT_MAX = 64;

/**
 * The best candidates so far; at first none. A class, since V8 takes a new hidden class for every object that is
 * written with a getter, and keeps it, and all that its functions see, until the next full collection: 0.4 KB an
 * address, and half as much time again for each collection of the young.
 */
export class Candidates {
  #best = 0;
  #kept: Candidate[] = [];

  /** The best score; 0 without a candidate. */
  get best(): number {
    return this.#best;
  }

  /** All that are about as good as the best, in the order in which they came. */
  get kept(): readonly Candidate[] {
    return this.#kept;
  }

  add(candidate: Candidate): void {
    const { score } = candidate;
    if (score < this.#best - TIE_MARGIN || score <= 0) return;
    if (score > this.#best) {
      this.#best = score;
      this.#kept = this.#kept.filter((other) => other.score >= score - TIE_MARGIN);
    }
    if (this.#kept.length < KEPT_MAX) this.#kept.push(candidate);
    else {
      // A better one must not be lost to those that are about as good.
      const worse = this.#kept.findIndex((other) => other.score < score);
      if (worse >= 0) this.#kept[worse] = candidate;
    }
  }

  /** The first of the best, or a tie: equally good ones are in different tracts. Undefined where there is none. */
  decide(): Candidate | 'tie' | undefined {
    if (this.#kept.length === 1) return this.#kept[0];
    const [first, ...others] = spelledAsAsked(this.#kept).toSorted((a, b) => b.score - a.score);
    if (!first) return undefined;
    return others.some((other) => !isSamePlace(first, other)) ? 'tie' : first;
  }
}

/**
 * Of streets of one name in one ZIP, which differ in a space, those that are spelled as they are asked for; all if none
 * is.
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

/** `First St` and `1st St` are no such namesakes: which of them is written says little. */
function areNamesakes(a: Candidate, b: Candidate): boolean {
  const zip = a.shard.runZips[a.run] ?? UNKNOWN_ZIP;
  const [one, other] = [a, b].map((candidate) => streetOf(candidate).join(''));
  return zip !== UNKNOWN_ZIP && zip === b.shard.runZips[b.run] && one === other;
}

const streetOf = ({ shard, run }: Candidate): readonly string[] =>
  plainWords(shard.streetName(shard.runStreets[run] ?? 0));

/** Whether all of two lots of candidates are in one place. */
export function isOnePlace(one: Candidates, other: Candidates): boolean {
  return one.kept.every((a) => other.kept.every((b) => isSamePlace(a, b)));
}

/** In one tract; where no outline is loaded, along one stretch of street. */
function isSamePlace(a: Candidate, b: Candidate): boolean {
  const tract = a.shard.rangeTracts[a.range];
  if (tract !== b.shard.rangeTracts[b.range]) return false;
  return tract !== NO_TRACT || (a.shard === b.shard && edgeOf(a) === edgeOf(b));
}

const edgeOf = ({ shard, range }: Candidate): number => (shard.rangeEdges[range] ?? 0) >>> 2;
