import type { Recognition, TextProbe } from '../../model.js';
import { findColumn, hasColumns } from '../columns.js';
import { READ_TURNS } from '../read-turns.js';
import { LAT_COLUMNS, LNG_COLUMNS, readCoordinates } from './read-coordinates.js';
import { readExtract } from './read-extract.js';

/**
 * Files that put NPIs on the map: `npi,lat,lng`, with `tract_fips` or without; and extracts of the registry that have the
 * provider beside the coordinates.
 */
export function recognizeProviderCoordinates(probe: TextProbe): Recognition | undefined {
  const { header } = probe;
  const located = findColumn(header, LAT_COLUMNS) !== undefined && findColumn(header, LNG_COLUMNS) !== undefined;
  if (!located || !hasColumns(header, 'npi')) return undefined;
  const isExtract = hasColumns(header, 'name', 'taxonomy_code', 'state', 'zip');
  const product = isExtract ? 'Provider extract with coordinates' : 'Coordinates by NPI';
  const read = isExtract ? readExtract : readCoordinates;
  return {
    source: 'provider-coordinates',
    product,
    turn: READ_TURNS.extracts,
    judgesDamage: true,
    read: (sink) => read(probe, product, sink),
  };
}
