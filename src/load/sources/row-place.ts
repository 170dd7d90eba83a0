import { countyKey, type Geoid, stateFipsOf } from '../../core/geoid.js';
import { STATES, stateByFips } from '../../core/states.js';
import type { Tally } from '../tally.js';
import { cellAt, optionalColumn } from './columns.js';

/** Names of the columns that give a row's state and county besides its GEOID; a file need not have them. */
interface PlaceColumns {
  /** Postal abbreviation of the state. */
  readonly state: string;
  /** FIPS code of the county, including the state's. */
  readonly county?: string;
}

/** Rejects the row, and returns false, if its columns name another state or county than its GEOID. */
export type PlaceCheck = (geoid: Geoid, cells: readonly string[]) => boolean;

const ABBREVIATIONS = new Set(STATES.map(({ abbreviation }) => abbreviation));
/** Four digits if a spreadsheet has dropped the leading zero. */
const COUNTY = /^\d{4,5}$/;
/**
 * Alaska, Connecticut, South Dakota and Virginia: codes of some of their counties have changed since 2010, and one file
 * may have both the old and the new one.
 */
const RECODED_STATES = new Set(['02', '09', '46', '51']);

/** Detects rows whose GEOID column has slipped or was sorted alone, in tables that do not also name the tract. */
export function createPlaceCheck(
  label: string,
  header: readonly string[],
  columns: PlaceColumns,
  tally: Tally,
): PlaceCheck {
  const stateAt = optionalColumn(label, header, [columns.state]);
  const countyAt = columns.county === undefined ? undefined : optionalColumn(label, header, [columns.county]);
  const reject = (geoid: Geoid, column: string | undefined, value: string): false => {
    tally.reject('GEOID contradicts the state or county', { geoid, column, value });
    return false;
  };
  return (geoid, cells) => {
    const state = cellAt(cells, stateAt);
    if (isOtherState(geoid, state)) return reject(geoid, columns.state, state);
    const county = cellAt(cells, countyAt);
    return isOtherCounty(geoid, county) ? reject(geoid, columns.county, county) : true;
  };
}

function isOtherState(geoid: Geoid, abbreviation: string): boolean {
  const named = abbreviation.toUpperCase();
  return ABBREVIATIONS.has(named) && stateByFips(stateFipsOf(geoid))?.abbreviation !== named;
}

function isOtherCounty(geoid: Geoid, countyFips: string): boolean {
  if (!COUNTY.test(countyFips) || RECODED_STATES.has(stateFipsOf(geoid))) return false;
  return countyFips.padStart(5, '0') !== countyKey(geoid);
}
