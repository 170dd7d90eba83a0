import { countyKey } from '../../core/geoid.js';
import type { LoadSink } from '../intake/load-sink.js';
import type { GeoidField } from './geoid-field.js';

/** How far each source's spelling of county names is trusted: the highest value wins. */
export const COUNTY_NAME_TRUST = { tiger: 5, acs: 4, svi: 3, ejscreen: 2, places: 1 } as const;

/** Takes the text in a tract's row that may name its county; a text without a county's name is ignored. */
export type CountyNamer = (field: GeoidField, text: string) => void;

/**
 * Passes each county's name on to the sink, once per file. `nameIn` extracts it from the text, and is no longer called once
 * the county has a name. Rows with a padded GEOID name no county, because the GEOID may be wrong; nor does a name in which an
 * earlier program replaced a letter (U+FFFD).
 */
export function createCountyNamer(
  sink: LoadSink,
  trust: number,
  nameIn: (text: string) => string | undefined = (text) => text,
): CountyNamer {
  const named = new Set<string>();
  return (field, text) => {
    const countyFips = countyKey(field.geoid);
    if (field.padded || named.has(countyFips)) return;
    const name = nameIn(text)?.trim();
    if (!name || name.includes('\uFFFD')) return;
    named.add(countyFips);
    sink.addCountyName(countyFips, name, trust);
  };
}

/**
 * The county in a tract's full name: `Albany County` of `Census Tract 1; Albany County; New York` and of
 * `Census Tract 1, Albany County, New York`. Undefined if the text is no tract's name.
 */
export function countyOfTractName(name: string): string | undefined {
  const parts = name.split(/[;,]/);
  return parts.length >= 3 && /^\s*census tract/i.test(name) ? parts[1]?.trim() : undefined;
}
