import { countyKey, type Geoid, stateFipsOf } from '../../core/geoid.js';
import { type State, stateByAbbreviation } from '../../core/states.js';
import type { LoadSink } from '../intake/load-sink.js';
import type { Tally } from '../intake/tally.js';
import { cellAt, optionalColumn } from './columns.js';
import type { GeoidField } from './geoid-field.js';
import { isWanted } from './tract-field.js';

/** Names of the columns that give a row's state and county besides its GEOID; a file need not have them. */
interface PlaceColumns {
  /** Postal abbreviation of the state. */
  readonly state: string;
  /** FIPS code of the county, including the state's. */
  readonly county?: string;
}

/**
 * Whether the row is loaded. If not, it is accounted for: rejected if its columns name another state or county than its
 * GEOID, else left out because of its state.
 */
export type PlaceCheck = (field: GeoidField, cells: readonly string[]) => boolean;

/** Four digits if a spreadsheet has dropped the leading zero. */
const COUNTY = /^\d{4,5}$/;
/**
 * Alaska, Connecticut, South Dakota and Virginia: codes of some of their counties have changed since 2010, and one file
 * may have both the old and the new one.
 */
const RECODED_STATES = new Set(['02', '09', '46', '51']);

/**
 * Detects rows whose GEOID column has slipped or was sorted alone, in tables that do not also name the tract. A row with a
 * GEOID of a state that is not loaded is rejected too if its columns name one that is: that one would lack it. Of two states
 * that are both not loaded nothing is wrong.
 */
export function createPlaceCheck(
  label: string,
  header: readonly string[],
  columns: PlaceColumns,
  sink: LoadSink,
  tally: Tally,
): PlaceCheck {
  const stateAt = optionalColumn(label, header, [columns.state]);
  const countyAt = columns.county === undefined ? undefined : optionalColumn(label, header, [columns.county]);
  const reject = (geoid: Geoid, column: string | undefined, value: string): false => {
    tally.reject('GEOID contradicts the state or county', { geoid, column, value });
    return false;
  };
  const isLoaded = (fips: string): boolean => sink.leaveOut(fips) === undefined;
  return (field, cells) => {
    const { geoid } = field;
    const fips = stateFipsOf(geoid);
    const state = cellAt(cells, stateAt);
    const named = otherState(fips, state);
    if (named && (isLoaded(fips) || isLoaded(named.fips))) return reject(geoid, columns.state, state);
    if (!isWanted(field, sink, tally)) return false;
    const county = cellAt(cells, countyAt);
    return isOtherCounty(geoid, county) ? reject(geoid, columns.county, county) : true;
  };
}

/** The state with this abbreviation, if it is another than that with the FIPS code. */
function otherState(fips: string, abbreviation: string): State | undefined {
  const named = stateByAbbreviation(abbreviation.toUpperCase());
  return named?.fips === fips ? undefined : named;
}

function isOtherCounty(geoid: Geoid, countyFips: string): boolean {
  if (!COUNTY.test(countyFips) || RECODED_STATES.has(stateFipsOf(geoid))) return false;
  return countyFips.padStart(5, '0') !== countyKey(geoid);
}
