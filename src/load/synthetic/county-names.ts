/** County equivalents that are not called counties and do not follow the rules below (suffix, independent city). */
const FULL_NAMES: ReadonlyMap<string, string> = new Map([
  ['02016', 'Aleutians West Census Area'],
  ['02020', 'Anchorage Municipality'],
  ['02050', 'Bethel Census Area'],
  ['02070', 'Dillingham Census Area'],
  ['02105', 'Hoonah-Angoon Census Area'],
  ['02110', 'Juneau City and Borough'],
  ['02158', 'Kusilvak Census Area'],
  ['02180', 'Nome Census Area'],
  ['02198', 'Prince of Wales-Hyder Census Area'],
  ['02220', 'Sitka City and Borough'],
  ['02230', 'Skagway Municipality'],
  ['02240', 'Southeast Fairbanks Census Area'],
  ['02275', 'Wrangell City and Borough'],
  ['02282', 'Yakutat City and Borough'],
  ['02290', 'Yukon-Koyukuk Census Area'],
  ['11001', 'District of Columbia'],
  ['32510', 'Carson City'],
]);

/** The suffix of county names by state (two-digit FIPS); "County" in all other states. */
const SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['02', 'Borough'],
  ['22', 'Parish'],
]);

/** Cities that belong to no county have codes from 510 on; only Maryland, Missouri, Nevada and Virginia have any. */
const FIRST_INDEPENDENT_CITY = 510;

/** A county's full common name, from the bare name: `Albany County`, `Orleans Parish`, `Alexandria city`. */
export function countyName(countyFips: string, bareName: string): string {
  const full = FULL_NAMES.get(countyFips);
  if (full) return full;
  const state = countyFips.slice(0, 2);
  const city = ['24', '29', '51'].includes(state) && Number(countyFips.slice(2)) >= FIRST_INDEPENDENT_CITY;
  return `${bareName} ${city ? 'city' : (SUFFIXES.get(state) ?? 'County')}`;
}
