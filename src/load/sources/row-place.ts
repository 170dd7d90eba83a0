import { type Geoid, stateFipsOf } from '../../core/geoid.js';
import { STATES, stateByFips } from '../../core/states.js';
import type { Tally } from '../tally.js';
import { cellAt, optionalColumn } from './columns.js';

/** Columns that name a row's place beside its GEOID, where the file has them. */
interface PlaceColumns {
  /** Postal abbreviation of the state. */
  readonly state: string;
  /** FIPS code of the county, with the state's. */
  readonly county?: string;
}

/** Rejects the row, and gives false, where it names another state or county than its GEOID. */
export type PlaceCheck = (geoid: Geoid, cells: readonly string[]) => boolean;

const ABBREVIATIONS = new Set(STATES.map(({ abbreviation }) => abbreviation));
/** A spreadsheet eats the leading zero. */
const COUNTY = /^\d{4,5}$/;
/**
 * Alaska, Connecticut, South Dakota and Virginia: counties of theirs have had two codes since 2010, and one file may
 * have both.
 */
const RECODED_STATES = new Set(['02', '09', '46', '51']);

/** Tells rows whose GEOID has slipped, or was sorted alone, where the tract's name is not beside it. */
export function createPlaceCheck(
  label: string,
  header: readonly string[],
  columns: PlaceColumns,
  tally: Tally,
): PlaceCheck {
  const stateAt = optionalColumn(label, header, [columns.state]);
  const countyAt = columns.county === undefined ? undefined : optionalColumn(label, header, [columns.county]);
  const reject = (geoid: Geoid, column: string | undefined, value: string): false => {
    tally.reject('GEOID and state or county are of two places', { geoid, column, value });
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
  return countyFips.padStart(5, '0') !== geoid.slice(0, 5);
}
