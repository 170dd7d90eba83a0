import { join } from 'node:path';
import { countyKey, geoidToNumber, stateFipsOf } from '../../core/geoid.js';
import { COMPARED_METRICS, METRICS, TREND_METRICS } from '../../core/metrics.js';
import { stateByFips } from '../../core/states.js';
import { NAMES_EDITION } from '../../core/streets/names-edition.js';
import type { SectionEntry } from '../../format/container-header.js';
import type { Area, DatasetDescription } from '../../format/description.js';
import { packTexts } from '../../format/text-table.js';
import { TRACTS_FILE, writeTractsFile } from '../../format/tracts-file.js';
import type { Intake } from '../intake/intake.js';
import type { TractRow } from '../intake/tract-rows.js';
import type { JoinedTracts } from '../join/join.js';
import { deriveAverages, deriveRanks, deriveSdohIndex, type ScopeAreas } from './derive.js';
import { recordJson, tractName } from './record-json.js';

/** Computes ranks, averages and the index from the joined tracts, and writes the tracts' file into the directory. */
export function writeTracts(
  directory: string,
  joined: JoinedTracts,
  intake: Intake,
  { synthetic, loadedSources }: Pick<DatasetDescription, 'synthetic' | 'loadedSources'>,
): SectionEntry[] {
  const { tracts } = joined;
  const states = groupAreas(
    tracts,
    (tract) => stateFipsOf(tract.geoid),
    (fips) => stateByFips(fips)?.name ?? '',
  );
  const counties = groupAreas(
    tracts,
    (tract) => countyKey(tract.geoid),
    (fips) => intake.countyName(fips),
  );
  const areas: ScopeAreas = { county: counties, state: states, national: [{ firstRow: 0, tractCount: tracts.length }] };
  deriveSdohIndex(joined.values);

  const countyOf = new Uint16Array(tracts.length);
  counties.forEach((county, index) => {
    countyOf.fill(index, county.firstRow, county.firstRow + county.tractCount);
  });
  const names = tracts.map((tract, row) => tractName(tract.geoid, counties[countyOf[row] ?? 0]?.name ?? '', synthetic));
  const column = (pick: (tract: TractRow) => number): Float64Array => Float64Array.from(tracts.map(pick));
  const recordAt = (row: number): string => {
    const tract = tracts[row];
    if (!tract) throw new RangeError(`there is no tract in row ${row}`);
    return recordJson(joined, row, tract.geoid, names[row] ?? '');
  };
  return writeTractsFile(join(directory, TRACTS_FILE), {
    description: {
      synthetic,
      states,
      counties,
      metrics: METRICS.map((metric) => metric.path),
      comparedMetrics: COMPARED_METRICS.map((metric) => metric.path),
      trendMetrics: TREND_METRICS.map((metric) => metric.path),
      provenance: joined.provenance,
      loadedSources,
      namesEdition: NAMES_EDITION,
    },
    geoids: column((tract) => geoidToNumber(tract.geoid)),
    counties: countyOf,
    lats: column((tract) => tract.lat),
    lngs: column((tract) => tract.lng),
    landSqm: column((tract) => tract.landSqm),
    waterSqm: column((tract) => tract.waterSqm),
    values: joined.values,
    ranks: deriveRanks(joined.values, areas),
    averages: deriveAverages(joined.values, areas),
    trendYears: Uint16Array.from(joined.trendYears),
    trendValues: joined.trendValues,
    names,
    records: packTexts(tracts.length, recordAt),
  });
}

/** Runs of consecutive tracts with the same FIPS prefix; the tracts are in GEOID order. */
function groupAreas(
  tracts: readonly TractRow[],
  fipsOf: (tract: TractRow) => string,
  nameOf: (fips: string) => string,
): Area[] {
  const areas: Area[] = [];
  let firstRow = 0;
  tracts.forEach((tract, row) => {
    const next = tracts[row + 1];
    if (next && fipsOf(next) === fipsOf(tract)) return;
    const fips = fipsOf(tract);
    areas.push({ fips, name: nameOf(fips), firstRow, tractCount: row + 1 - firstRow });
    firstRow = row + 1;
  });
  return areas;
}
