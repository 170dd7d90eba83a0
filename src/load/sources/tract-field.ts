import { stateFipsOf } from '../../core/geoid.js';
import { stateByFips } from '../../core/states.js';
import { type GeoidField, readGeoidField } from '../geoid-field.js';
import type { LoadSink } from '../model.js';
import type { Tally } from '../tally.js';

/** Reads a GEOID field as a tract of a state there is, whether or not the state is wanted; undefined for all else. */
export function readTractField(text: string): GeoidField | undefined {
  const field = readGeoidField(text);
  return field && stateByFips(stateFipsOf(field.geoid)) ? field : undefined;
}

/**
 * The tract that a row is about where the row is wanted. Undefined where it is not, and then the row is accounted for:
 * rejected if the text, which is in the named column, is no tract's GEOID, else left out for its state.
 */
export function takeTract(
  text: string,
  sink: LoadSink,
  tally: Tally,
  column: string | undefined,
): GeoidField | undefined {
  const field = readTractField(text);
  if (!field) {
    tally.reject('not a tract GEOID', { column, value: text });
    return undefined;
  }
  return isWanted(field, sink, tally) ? field : undefined;
}

/** Whether a tract's state is loaded; where it is not, the row is left out. */
export function isWanted(field: GeoidField, sink: LoadSink, tally: Tally): boolean {
  const reason = sink.leaveOut(stateFipsOf(field.geoid));
  if (reason) tally.leave(reason);
  return reason === undefined;
}
