import type { TextProbe } from '../../files/probe.js';
import { cellAt, findColumn, hasColumns } from '../columns.js';
import type { KnownHeader } from '../known-header.js';
import type { Recognition } from '../recognition.js';
import { PLACES_LONG_COLUMNS, PLACES_LONG_GEOID, readPlacesLong } from './long.js';
import { columnsContradiction, placesProduct, releaseOfFolders, releaseOfName } from './vintage.js';
import { hasPrevalence, readPlacesWide } from './wide.js';

const SOURCE = 'places';
const OFFICIAL_NAME = /^PLACES_.*Census_Tract_Data.*\.csv$/i;
const WIDE_NAME = /GIS_Friendly/i;
/** With or without the state's leading zero. */
const TRACT_ID = /^\d{10,11}$/;

/** The wide layout of 500 Cities, which preceded PLACES, has the same columns and that of the city. */
const CITY = 'PlaceFIPS';
const OF_CITIES = 'a table of the parts of tracts that lie in cities, from before PLACES';

/** Only the long layout: the wide one is recognized by a single measure. */
export const PLACES_LONG_HEADER: KnownHeader = {
  signature: ['MeasureId', 'LocationID', 'Data_Value'],
  reads: PLACES_LONG_COLUMNS,
  productOf: ({ file }) => productName(releaseOfName(file)),
};

const productName = (release: number | undefined): string =>
  release === undefined ? 'CDC PLACES (release unnamed)' : placesProduct(release);

/** Recognizes CDC PLACES by tract: the long layout (a row per tract and measure) and the wide, "GIS friendly" one. */
export function recognizePlaces(probe: TextProbe): Recognition | undefined {
  const { header, file } = probe;
  const official = OFFICIAL_NAME.test(file.name);
  const long = hasColumns(header, ...PLACES_LONG_HEADER.signature) || (official && !WIDE_NAME.test(file.name));
  const wide = !long && (hasPrevalence(header) || official);
  if (!long && !wide) return undefined;
  // A folder's year is as often that of the download as of the release; the rows of the long layout say more.
  const named = releaseOfName(file);
  const told = named !== undefined || long ? { release: named } : releaseOfFolders(file);
  const product = productName('release' in told ? told.release : undefined);
  if (isCoarser(probe, long)) {
    return { source: SOURCE, product, refuse: 'a table of counties, places or ZIP areas: it has no census tracts' };
  }
  if (wide && hasColumns(header, CITY)) return { source: SOURCE, product: '500 Cities', refuse: OF_CITIES };
  if ('refuse' in told) return { source: SOURCE, product, refuse: told.refuse };
  const { release } = told;
  const contradiction = release === undefined ? undefined : columnsContradiction(header, release);
  if (contradiction !== undefined) return { source: SOURCE, product, refuse: contradiction };
  // Only the long layout comes here without a release, which its rows give.
  if (long || release === undefined)
    return { source: SOURCE, product, read: (sink) => readPlacesLong(probe, release, sink) };
  return { source: SOURCE, product, read: (sink) => readPlacesWide(probe, release, sink) };
}

/** Whether the table is of larger areas, which has the same columns except the tract's; the first rows' IDs tell. */
function isCoarser({ header, rows }: TextProbe, long: boolean): boolean {
  // Where rows have a tract's ID in another column, that has only lost its name.
  if (!long) {
    const hasTractIds = rows.some((cells) => cells.some((cell) => TRACT_ID.test(cell.trim())));
    return hasPrevalence(header) && !hasColumns(header, 'TractFIPS') && !hasTractIds;
  }
  const column = findColumn(header, PLACES_LONG_GEOID);
  const ids = rows.map((cells) => cellAt(cells, column));
  return ids.some((id) => /^\d{1,9}$/.test(id)) && !ids.some((id) => TRACT_ID.test(id));
}
