import type { GeoidField } from '../geoid-field.js';
import type { LoadSink } from '../model.js';

/** Takes the text of a tract's row that names the county; where it names none, it passes unheard. */
export type CountyNamer = (field: GeoidField, text: string) => void;

/**
 * Hands each county's name to the sink once a file. `nameIn` finds it in the text, for the first rows of each county only.
 * GEOIDs that were padded name no county: they may be wrong.
 */
export function createCountyNamer(
  sink: LoadSink,
  trust: number,
  nameIn: (text: string) => string | undefined = (text) => text,
): CountyNamer {
  const named = new Set<string>();
  return (field, text) => {
    const countyFips = field.geoid.slice(0, 5);
    if (field.padded || named.has(countyFips)) return;
    const name = nameIn(text)?.trim();
    if (!name) return;
    named.add(countyFips);
    sink.addCountyName(countyFips, name, trust);
  };
}

/**
 * The county in a tract's full name: `Albany County` of `Census Tract 1; Albany County; New York` and of
 * `Census Tract 1, Albany County, New York`. Undefined where the text is no tract's name.
 */
export function countyOfTractName(name: string): string | undefined {
  const parts = name.split(/[;,]/);
  return parts.length >= 3 && /^\s*census tract/i.test(name) ? parts[1]?.trim() : undefined;
}
