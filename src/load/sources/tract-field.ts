import { stateFipsOf } from '../../core/geoid.js';
import { stateByFips } from '../../core/states.js';
import type { LoadSink } from '../intake/load-sink.js';
import type { Tally } from '../intake/tally.js';
import { type GeoidField, readGeoidField } from './geoid-field.js';

/** Reads a GEOID field as a tract of an existing state, wanted or not; undefined for anything else. */
export function readTractField(text: string): GeoidField | undefined {
  const field = readGeoidField(text);
  return field && stateByFips(stateFipsOf(field.geoid)) ? field : undefined;
}

/** The tract of a row, wanted or not. If the text, from the named column, is no tract's GEOID, the row is rejected. */
export function requireTract(text: string, tally: Tally, column: string | undefined): GeoidField | undefined {
  const field = readTractField(text);
  if (!field) tally.reject('not a tract GEOID', { column, value: text });
  return field;
}

/**
 * The tract of a row, if it is wanted. Undefined if not, and the row is then accounted for: rejected if the text, from the
 * named column, is no tract's GEOID, else left out because of its state.
 */
export function takeTract(
  text: string,
  sink: LoadSink,
  tally: Tally,
  column: string | undefined,
): GeoidField | undefined {
  const field = requireTract(text, tally, column);
  return field && isWanted(field, sink, tally) ? field : undefined;
}

/** Whether a tract's state is loaded; if not, counts the row as left out. */
export function isWanted(field: GeoidField, sink: LoadSink, tally: Tally): boolean {
  const reason = sink.leaveOut(stateFipsOf(field.geoid));
  if (reason) tally.leave(reason);
  return reason === undefined;
}
