import type { GeoidField } from '../geoid-field.js';
import type { LoadSink } from '../model.js';

/** Takes the name of the county that a tract lies in; empty names pass unheard. */
export type CountyNamer = (field: GeoidField, name: string | undefined) => void;

/** Hands each county's name to the sink once a file. GEOIDs that were padded name no county: they may be wrong. */
export function createCountyNamer(sink: LoadSink, trust: number): CountyNamer {
  const named = new Set<string>();
  return (field, name) => {
    const countyFips = field.geoid.slice(0, 5);
    const trimmed = name?.trim();
    if (!trimmed || field.padded || named.has(countyFips)) return;
    named.add(countyFips);
    sink.addCountyName(countyFips, trimmed, trust);
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
