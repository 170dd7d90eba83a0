import { type Geoid, stateFipsOf } from '../../core/geoid.js';
import { STATES, type State } from '../../core/states.js';
import type { LoadSink } from '../intake/load-sink.js';
import type { Tally } from '../intake/tally.js';

/** A tract's name as ACS writes it: `Census Tract 401.02, Kent County, Delaware`; with semicolons since 2022. */
const TRACT_NAME = /^Census Tract (\d{1,4})(?:\.(\d{1,2}))?(?![\d.])/i;

const STATE_BY_NAME = new Map(STATES.map((state) => [state.name.toLowerCase(), state]));

/**
 * Whether a row's GEOID and name belong to two tracts, by the tract's number; false if the name has none. If the GEOID's
 * state is not loaded, whether the name is of a state that is: that one would lack the row.
 */
export function isNamedOtherwise(geoid: Geoid, name: string, sink: LoadSink): boolean {
  if (sink.leaveOut(stateFipsOf(geoid)) !== undefined) {
    const named = stateOfName(name);
    return named !== undefined && sink.leaveOut(named.fips) === undefined;
  }
  const [, whole, part = ''] = TRACT_NAME.exec(name.trim()) ?? [];
  return whole !== undefined && whole.padStart(4, '0') + part.padEnd(2, '0') !== geoid.slice(5);
}

/** The state at the end of a tract's name. */
function stateOfName(name: string): State | undefined {
  const end = Math.max(name.lastIndexOf(','), name.lastIndexOf(';')) + 1;
  return STATE_BY_NAME.get(name.slice(end).trim().toLowerCase());
}

/** Rejects a row whose name (in `column`) and GEOID belong to two tracts: one column has slipped or was sorted alone. */
export function rejectNamedOtherwise(tally: Tally, geoid: Geoid, column: string, name: string): void {
  tally.reject('GEOID contradicts the tract name', { geoid, column, value: name });
}
