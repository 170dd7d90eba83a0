import { type Geoid, stateFipsOf } from '../../core/geoid.js';
import type { Layer } from '../intake/layer.js';
import type { TractRow } from '../intake/tract-rows.js';
import type { Bridge } from './bridge.js';

/** A layer whose rows have been mapped to rows of the dataset. */
export interface PlacedLayer {
  readonly layer: Layer;
  /**
   * By row of the dataset, the position of the tract's row in the layer, or {@link NO_POSITION}. Numbers, not objects: a
   * national load has millions of rows.
   */
  readonly positions: Int32Array;
}

/** Marks a tract that a layer has no row of. */
export const NO_POSITION = -1;

/** A state's rows of the dataset, which lie side by side: from `first` up to, not including, `end`. */
export interface StateRows {
  readonly stateFips: string;
  readonly first: number;
  readonly end: number;
}

/** The states of tracts in GEOID order. */
export function statesOf(tracts: readonly TractRow[]): StateRows[] {
  const states: { stateFips: string; first: number; end: number }[] = [];
  tracts.forEach(({ geoid }, row) => {
    const stateFips = stateFipsOf(geoid);
    const last = states.at(-1);
    if (last?.stateFips === stateFips) last.end = row + 1;
    else states.push({ stateFips, first: row, end: row + 1 });
  });
  return states;
}

/** A table may list a tract under two GEOIDs, such as Connecticut's of its counties and of its planning regions. */
const REPEATED = 'duplicate row under another GEOID of the tract';
const CONTRADICTING = 'duplicate tract under another GEOID with other values';

/** Maps the layer's rows; of several for one tract, the first counts, as it does in {@link Layer.add}. */
export function placeLayer(layer: Layer, rowOf: ReadonlyMap<Geoid, number>, bridge: Bridge): PlacedLayer {
  const positions = new Int32Array(rowOf.size).fill(NO_POSITION);
  for (const [published, position] of layer.positions) {
    const padded = layer.isPadded(published);
    const geoid = bridge.resolve(published, layer.key.tractVintage, padded);
    if (typeof geoid !== 'string') {
      if ('reject' in geoid) layer.reject(published, geoid.reject);
      else layer.leave(published, geoid.leave);
      continue;
    }
    const row = rowOf.get(geoid);
    if (row === undefined) throw new Error(`${published} leads to ${geoid}, which is no tract of the dataset`);
    const earlier = positions[row] ?? NO_POSITION;
    if (earlier === NO_POSITION) {
      positions[row] = position;
      if (padded) layer.note(published, 'leading zero of the GEOID restored');
    } else if (layer.areEqual(earlier, position)) layer.leave(published, REPEATED);
    else layer.reject(published, CONTRADICTING);
  }
  return { layer, positions };
}

/** The positions of the layer's rows of a state, by row of the dataset from the state's first. */
export function positionsIn({ positions }: PlacedLayer, { first, end }: StateRows): Int32Array {
  return positions.subarray(first, end);
}

/** The number of a state's tracts that the layer has a row of. */
export function countIn(placed: PlacedLayer, state: StateRows): number {
  return positionsIn(placed, state).reduce((count, position) => count + Number(position !== NO_POSITION), 0);
}
