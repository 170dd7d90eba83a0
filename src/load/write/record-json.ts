import { countyFipsOf, type Geoid, stateFipsOf, tractCodeOf, tractNumber } from '../../core/geoid.js';
import { metricIndex, metricsOf, SECTIONS, type Section } from '../../core/metrics.js';
import { stateByFips } from '../../core/states.js';
import { numberJson } from '../../format/number-json.js';
import type { JoinedTracts } from '../join/join.js';

/** A tract's name as the Census Bureau writes it: `Census Tract 1.01, Albany County, New York`. */
export function tractName(geoid: Geoid, countyName: string, synthetic: boolean): string {
  const kind = synthetic ? 'Synthetic Census Tract' : 'Census Tract';
  const state = stateByFips(stateFipsOf(geoid))?.name ?? '';
  const parts = [`${kind} ${tractNumber(tractCodeOf(geoid))}`, countyName, state];
  return parts.filter((part) => part !== '').join(', ');
}

/** By section, the JSON text before each of its numbers, and the column that the number is in. */
const MEMBERS: ReadonlyMap<Section, readonly { readonly before: string; readonly column: number }[]> = new Map(
  SECTIONS.map((section) => [
    section,
    metricsOf(section).map(({ key, path }, at) => ({
      before: `${at > 0 ? ',' : ''}"${key}":`,
      column: metricIndex(path),
    })),
  ]),
);

/**
 * A tract's full record (SPEC 2.2) as JSON text. Unknown values are null, as is a section whose source has no row for the
 * tract. Concatenated as text, because building an object for each record takes several times as long.
 */
export function recordJson(
  { values, present, epaSource }: JoinedTracts,
  row: number,
  geoid: Geoid,
  name: string,
): string {
  const members = (section: Section): string => {
    let text = '';
    for (const { before, column } of MEMBERS.get(section) ?? []) text += before + numberJson(values[column]?.[row]);
    return text;
  };
  const section = (name: Section, extra = ''): string =>
    present.get(name)?.[row] === 1 ? `{${members(name)}${extra}}` : 'null';

  const head = `"geoid":"${geoid}","state_fips":"${stateFipsOf(geoid)}","county_fips":"${countyFipsOf(geoid)}"`;
  const whose = `${head},"tract_code":"${tractCodeOf(geoid)}","name":${JSON.stringify(name)}`;
  const epaData = section('epa_data', `,"_source":${JSON.stringify(epaSource[row] ?? null)}`);
  const sections = `"svi_themes":${section('svi_themes')},"places_measures":${section('places_measures')},"epa_data":${epaData}`;
  return `{${whose},${members('demographics')},${sections},${members('sdoh_index')}}`;
}
