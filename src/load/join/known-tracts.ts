import { countyFipsOf, type Geoid, stateFipsOf } from '../../core/geoid.js';
import type { Intake } from '../intake/intake.js';
import { readGeoidField } from '../sources/geoid-field.js';
import type { TractShapefile } from '../sources/tiger/index.js';

export const CONNECTICUT = '09';

/** The areas in Connecticut's tract GEOIDs: its eight counties up to 2021, nine planning regions from 2022 on. */
export type ConnecticutAreas = 'counties' | 'planning regions';

/** The tracts that published GEOIDs are mapped to. */
export interface KnownTracts {
  has(geoid: Geoid): boolean;
  /** Whether any of the state's tracts may be known. */
  hasState(stateFips: string): boolean;
  /** The areas in the GEOIDs of Connecticut's tracts; undefined if it has none. */
  readonly connecticut: ConnecticutAreas | undefined;
}

/** Exactly these tracts. */
export function knownTracts(geoids: Iterable<Geoid>): KnownTracts {
  const known = new Set(geoids);
  const states = new Set([...known].map(stateFipsOf));
  const inConnecticut = [...known].find(isInConnecticut);
  return {
    has: (geoid) => known.has(geoid),
    hasState: (stateFips) => states.has(stateFips),
    connecticut: inConnecticut && connecticutAreasOf(inConnecticut),
  };
}

/**
 * The tracts whose outlines are loaded: those that the gazetteers list or, in a state without a gazetteer, any that the
 * outlines name. In Connecticut without a gazetteer, only GEOIDs of the newest product's areas count, so that no tract is
 * there twice.
 */
export function outlinedTracts(intake: Intake, files: readonly TractShapefile[]): KnownTracts {
  const listed = knownTracts(intake.tracts().map(({ geoid }) => geoid));
  const connecticut = intake.hasGazetteer(CONNECTICUT) ? listed.connecticut : newestConnecticutAreas(files);
  return {
    has: (geoid) => {
      if (intake.hasGazetteer(stateFipsOf(geoid))) return listed.has(geoid);
      return !isInConnecticut(geoid) || connecticutAreasOf(geoid) === connecticut;
    },
    hasState: () => true,
    connecticut,
  };
}

/** Which areas a Connecticut GEOID names: counties are numbered 001 to 015, planning regions 110 to 190. */
export function connecticutAreasOf(geoid: Geoid): ConnecticutAreas {
  return Number(countyFipsOf(geoid)) < 100 ? 'counties' : 'planning regions';
}

const isInConnecticut = (geoid: Geoid): boolean => stateFipsOf(geoid) === CONNECTICUT;

/** Taken from the newest file that has Connecticut's 2020 tracts; planning regions if two files of one year differ. */
function newestConnecticutAreas(files: readonly TractShapefile[]): ConnecticutAreas | undefined {
  let newest: { readonly year: number; readonly areas: ConnecticutAreas } | undefined;
  for (const file of files) {
    const geoid = file.tractVintage === 2020 ? firstConnecticutTract(file) : undefined;
    if (geoid === undefined) continue;
    const areas = connecticutAreasOf(geoid);
    const newer = newest === undefined || file.year > newest.year;
    if (newer || (file.year === newest?.year && areas === 'planning regions')) newest = { year: file.year, areas };
  }
  return newest?.areas;
}

function firstConnecticutTract({ table, fields }: TractShapefile): Geoid | undefined {
  for (let record = 0; record < table.rowCount; record++) {
    const geoid = readGeoidField(table.cell(record, fields.geoid))?.geoid;
    if (geoid && isInConnecticut(geoid) && !table.isDeleted(record)) return geoid;
  }
  return undefined;
}
