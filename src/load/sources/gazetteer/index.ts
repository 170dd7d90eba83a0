import type { Recognition, TextProbe } from '../../model.js';
import { cellAt, findColumn, hasColumns } from '../columns.js';
import { yearOfFile } from '../file-year.js';
import { readTractField } from '../tract-field.js';
import { readGazetteer } from './read.js';

const OFFICIAL_NAME = /^(20\d\d_)?gaz_tracts_.*\.txt$/i;

/**
 * The Census Bureau's gazetteer of tracts, of any year. Gazetteers of other geographies have the same columns and are
 * told by their GEOIDs; they are not this source's.
 */
export function recognizeGazetteer(probe: TextProbe): Recognition | undefined {
  if (!OFFICIAL_NAME.test(probe.file.name) && !looksLikeTracts(probe)) return undefined;
  const year = yearOfFile(probe.file);
  if (year === undefined) {
    return {
      source: 'gazetteer',
      product: 'Census Gazetteer (tracts)',
      refuse: 'neither its name nor its folder says of which year it is',
    };
  }
  const product = `Census ${year} Gazetteer (tracts)`;
  return { source: 'gazetteer', product, read: (sink) => readGazetteer(probe, product, year, sink) };
}

function looksLikeTracts({ header, rows }: TextProbe): boolean {
  if (!hasColumns(header, 'USPS', 'GEOID', 'ALAND', 'INTPTLAT', 'INTPTLONG')) return false;
  const column = findColumn(header, ['GEOID']);
  return rows.some((cells) => readTractField(cellAt(cells, column)) !== undefined);
}
