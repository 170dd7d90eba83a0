import type { TextProbe } from '../../files/probe.js';
import { findColumn, hasColumns, missingColumns } from '../columns.js';
import type { Likeness } from '../known-header.js';
import { READ_TURNS } from '../read-turns.js';
import type { Recognition } from '../recognition.js';
import { LAT_COLUMNS, LNG_COLUMNS, readCoordinates } from './read-coordinates.js';
import { readExtract } from './read-extract.js';

const EXTRACT = 'Provider extract with coordinates';
/** The columns that an extract has besides NPIs and their coordinates. */
const EXTRACT_COLUMNS: readonly string[] = ['name', 'taxonomy_code', 'state', 'zip'];
/** How many columns a table may lack, or have under other names, and still look like an extract. */
const MAX_MISSING = 2;

/**
 * Recognizes files that give coordinates by NPI: `npi,lat,lng`, with or without `tract_fips`; and extracts of the registry
 * that describe the provider as well.
 */
export function recognizeProviderCoordinates(probe: TextProbe): Recognition | undefined {
  const { header } = probe;
  const located = findColumn(header, LAT_COLUMNS) !== undefined && findColumn(header, LNG_COLUMNS) !== undefined;
  if (!located || !hasColumns(header, 'npi')) return undefined;
  const missing = EXTRACT_COLUMNS.filter((name) => !hasColumns(header, name));
  const isExtract = missing.length === 0;
  const product = isExtract ? EXTRACT : 'Coordinates by NPI';
  const read = isExtract ? readExtract : readCoordinates;
  return {
    source: 'provider-coordinates',
    product,
    turn: READ_TURNS.extracts,
    judgesDamage: true,
    // A list of coordinates may well have names or states, but one that lacks a single column was probably an extract.
    doubt:
      missing.length === 1
        ? `looks like ${EXTRACT}, but has no column ${missing[0]}: only its coordinates are read`
        : undefined,
    read: (sink) => read(probe, product, sink),
  };
}

/** Which columns a table of providers that no source recognizes lacks to be an extract. */
export function likenessToExtract({ header }: TextProbe): Likeness | undefined {
  // Names, states, ZIPs and coordinates may be those of anything.
  if (!hasColumns(header, 'npi') && !hasColumns(header, 'taxonomy_code')) return undefined;
  const columns = [['npi'], ...EXTRACT_COLUMNS.map((name) => [name]), LAT_COLUMNS, LNG_COLUMNS];
  const missing = missingColumns(header, columns);
  if (missing.length === 0 || missing.length > MAX_MISSING) return undefined;
  return { product: EXTRACT, missing, share: 1 - missing.length / columns.length };
}
