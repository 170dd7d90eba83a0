import { isWaterOnly, stateFipsOf } from '../../core/geoid.js';
import { groupBy } from '../../core/group-by.js';
import type { Layer } from '../intake/layer.js';
import type { TractRow } from '../intake/tract-rows.js';

const NOTE =
  'tract of 2020 in a file of a year with 2010 tracts, as are all of its state: the year in its name or folder may be wrong';

/** Fewer tracts than this prove nothing. */
const FEW_TRACTS = 20;
/** Of a state's tracts. Agencies leave out those where hardly anybody lives. */
const MOST_SHARE = 0.9;

/**
 * Notes the rows of states of which a file on 2010 tracts has nearly all tracts of 2020, and no other: in every state some
 * codes of 2010 were given up.
 */
export function noteTractsOf2020(layers: Iterable<Layer>, tracts: readonly TractRow[]): void {
  const byState = groupBy(
    tracts.filter(({ geoid }) => !isWaterOnly(geoid)),
    ({ geoid }) => stateFipsOf(geoid),
  );
  const known = new Map([...byState].map(([state, rows]) => [state, new Set(rows.map(({ geoid }) => geoid))]));
  for (const layer of layers) {
    if (layer.key.tractVintage !== 2010) continue;
    const published = [...layer.positions.keys()].filter((geoid) => !isWaterOnly(geoid));
    for (const [state, geoids] of groupBy(published, stateFipsOf)) {
      const ofState = known.get(state);
      if (!ofState || ofState.size < FEW_TRACTS || geoids.length < ofState.size * MOST_SHARE) continue;
      if (geoids.every((geoid) => ofState.has(geoid))) for (const geoid of geoids) layer.note(geoid, NOTE);
    }
  }
}
