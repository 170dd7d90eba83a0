import { countEach } from '../../core/count-each.js';
import { stateFipsOf } from '../../core/geoid.js';
import { abbreviationOf } from '../../core/states.js';
import type { JoinedTracts } from '../join/join.js';
import { FEW_TRACTS } from './metric-gaps.js';
import { WHOLE_SHARE } from './states-in-part.js';

/** A table that has rows of a part of a state's tracts only. */
export interface TableInPart {
  /** The agency's name for the table, with its vintage. */
  readonly product: string;
  /** Postal abbreviation. */
  readonly state: string;
  /** The number of the state's tracts that it has rows of. */
  readonly tracts: number;
  /** The number of the state's tracts that are loaded. */
  readonly of: number;
  /** The files that these rows come from. */
  readonly files: readonly string[];
}

/**
 * The tables that lack more tracts than any release does: a download may have ended early, at the end of a line. PLACES, which
 * omits tracts with fewer than 50 people, has 92% of Hawaii's. Tables on 2010 tracts lack those that were redrawn since.
 */
export function tablesInPart({ tracts, rowCounts }: JoinedTracts): TableInPart[] {
  const totals = countEach(tracts.map(({ geoid }) => stateFipsOf(geoid)));
  return [...rowCounts].flatMap(([layer, byState]) => {
    if (layer.key.tractVintage !== 2020) return [];
    return [...byState].flatMap(([fips, rows]) => {
      const of = totals.get(fips) ?? 0;
      if (of < FEW_TRACTS || rows >= of * WHOLE_SHARE) return [];
      const [product, state] = [layer.key.label, abbreviationOf(fips)];
      return [{ product, state, tracts: rows, of, files: layer.filesOf(fips) }];
    });
  });
}
