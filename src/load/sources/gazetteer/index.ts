import { stateByAbbreviation } from '../../../core/states.js';
import type { TextProbe } from '../../files/probe.js';
import { cellAt, findColumn, hasColumns } from '../columns.js';
import { yearOfFile } from '../file-year.js';
import type { KnownHeader } from '../known-header.js';
import type { Recognition } from '../recognition.js';
import { digitsOfSpoiled, readTractField } from '../tract-field.js';
import { GAZETTEER_COLUMNS, readGazetteer } from './read.js';

const OFFICIAL_NAME = /^(20\d\d_)?gaz_tracts_.*\.(?:txt|csv)$/i;

export const GAZETTEER_HEADER: KnownHeader = {
  signature: ['USPS', 'GEOID', 'ALAND', 'INTPTLAT', 'INTPTLONG'],
  reads: GAZETTEER_COLUMNS,
  productOf: (probe) => (hasColumns(probe.header, 'GEOID') && !namesTracts(probe) ? undefined : productName(probe)),
};

/**
 * Recognizes the Census Bureau's gazetteer of tracts, of any year. Gazetteers of other geographies have the same columns;
 * they are told apart by their GEOIDs and not recognized.
 */
export function recognizeGazetteer(probe: TextProbe): Recognition | undefined {
  if (!OFFICIAL_NAME.test(probe.file.name) && !looksLikeTracts(probe)) return undefined;
  const year = yearOfFile(probe.file);
  const product = productName(probe);
  if (year === undefined) {
    return { source: 'gazetteer', product, refuse: 'neither its name nor its folder gives its year' };
  }
  return { source: 'gazetteer', product, read: (sink) => readGazetteer(probe, product, year, sink) };
}

function productName({ file }: TextProbe): string {
  const year = yearOfFile(file);
  return year === undefined ? 'Census Gazetteer (tracts)' : `Census ${year} Gazetteer (tracts)`;
}

function looksLikeTracts(probe: TextProbe): boolean {
  return hasColumns(probe.header, ...GAZETTEER_HEADER.signature) && namesTracts(probe);
}

/** Also by GEOIDs that a spreadsheet has spoiled: other geographies of a tract's state have fewer or more digits. */
function namesTracts({ header, rows }: TextProbe): boolean {
  const [column, state] = [findColumn(header, ['GEOID']), findColumn(header, ['USPS'])];
  return rows.some((cells) => {
    const text = cellAt(cells, column);
    const losesZero = stateByAbbreviation(cellAt(cells, state))?.fips.startsWith('0');
    return readTractField(text) !== undefined || digitsOfSpoiled(text) === (losesZero ? 10 : 11);
  });
}
