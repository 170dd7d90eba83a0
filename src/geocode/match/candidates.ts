import type { HouseNumber } from '../../core/house-number.js';
import { type AddressShard, NO_TRACT } from '../../format/addresses/shard.js';
import type { MatchType } from '../geocoder.js';
import { TIE_MARGIN } from './scores.js';

/** A range that may be meant. */
export interface Candidate {
  readonly shard: AddressShard;
  readonly run: number;
  /** The range's row. */
  readonly range: number;
  readonly number: HouseNumber;
  readonly score: number;
  readonly type: MatchType;
  /** The address's city in the ZIP, by position; −1 where it names none that is known there. */
  readonly city: number;
}

/** The best candidates so far. */
export interface Candidates {
  /** The best score; 0 without a candidate. */
  readonly best: number;
  add(candidate: Candidate): void;
  /** All that are about as good as the best, in the order in which they came. */
  readonly kept: readonly Candidate[];
  /** The first of the best, or a tie: equally good ones are in different tracts. Undefined where there is none. */
  decide(): Candidate | 'tie' | undefined;
}

/** More equally good ones than these tie in any case, or are in one tract. */
const KEPT_MAX = 64;

/** Begins without a candidate. */
export function createCandidates(): Candidates {
  let best = 0;
  let kept: Candidate[] = [];
  return {
    get best() {
      return best;
    },
    get kept() {
      return kept;
    },
    add: (candidate) => {
      const { score } = candidate;
      if (score < best - TIE_MARGIN || score <= 0) return;
      if (score > best) {
        best = score;
        kept = kept.filter((other) => other.score >= best - TIE_MARGIN);
      }
      if (kept.length < KEPT_MAX) kept.push(candidate);
    },
    decide: () => {
      if (kept.length === 1) return kept[0];
      const [first, ...others] = kept.toSorted((a, b) => b.score - a.score);
      if (!first) return undefined;
      return others.some((other) => !isSamePlace(first, other)) ? 'tie' : first;
    },
  };
}

/** In one tract; where no outline is loaded, along one stretch of street. */
function isSamePlace(a: Candidate, b: Candidate): boolean {
  const tract = a.shard.rangeTracts[a.range];
  if (tract !== b.shard.rangeTracts[b.range]) return false;
  return tract !== NO_TRACT || (a.shard === b.shard && edgeOf(a) === edgeOf(b));
}

const edgeOf = ({ shard, range }: Candidate): number => (shard.rangeEdges[range] ?? 0) >>> 2;
