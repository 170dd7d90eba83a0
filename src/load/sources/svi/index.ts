import type { TextProbe } from '../../files/probe.js';
import { cellAt, findColumn, hasColumns, missingColumns } from '../columns.js';
import { type KnownHeader, type Likeness, withoutSeparators } from '../known-header.js';
import type { Recognition } from '../recognition.js';
import { readSvi, SVI_COLUMNS, SVI_GEOID } from './read.js';
import { laterRelease, placesContradiction, SVI_YEARS, sviYear } from './vintage.js';

const SOURCE = 'svi';
const PRODUCT = 'CDC/ATSDR SVI';
const OFFICIAL_NAME = /^SVI_?(20\d\d)_[A-Z]+.*\.csv$/i;
const ONLY_THESE = `only the releases of ${SVI_YEARS.join(', ')} are supported`;
/** State and county FIPS, with or without the leading zero. */
const COUNTY_FIPS = /^\d{4,5}$/;

export const SVI_HEADER: KnownHeader = {
  signature: ['RPL_THEME1', 'RPL_THEMES', 'ST_ABBR'],
  reads: SVI_COLUMNS,
  productOf: (probe) => productName(sviYear(probe)),
};

/** Columns that only this index has: a rank, and the percentile ranks and their sums that ranks are made of. */
const RANK = /^rpltheme[s1-4]$/;
const BEHIND_RANKS = /^[es]pl[ _.]/i;
/** Fewer of the latter may be chance; each release has 19 or more. */
const SOME = 5;

/** A table with some of the index's own columns, of which too few others are left or have kept their names. */
export function likenessToSvi(probe: TextProbe): Likeness | undefined {
  const { header } = probe;
  const hasRank =
    header.some((name) => RANK.test(withoutSeparators(name))) && findColumn(header, SVI_GEOID) !== undefined;
  if (!hasRank && header.filter((name) => BEHIND_RANKS.test(name)).length < SOME) return undefined;
  const missing = missingColumns(header, [...Object.values(SVI_COLUMNS), ['ST_ABBR']]);
  return { product: productName(sviYear(probe)), missing, share: 0 };
}

const productName = (year: number | undefined): string => (year === undefined ? PRODUCT : `${PRODUCT} ${year}`);

/** Recognizes the CDC/ATSDR Social Vulnerability Index by tract, of the nation or of one state. */
export function recognizeSvi(probe: TextProbe): Recognition | undefined {
  const byHeader = hasColumns(probe.header, ...SVI_HEADER.signature);
  const official = OFFICIAL_NAME.exec(probe.file.name)?.[1];
  if (!byHeader && official === undefined) return undefined;
  // A later release would be taken for the last one that is known, whose places are written in the same way.
  if (official !== undefined && !SVI_YEARS.includes(Number(official))) {
    return { source: SOURCE, product: productName(Number(official)), refuse: ONLY_THESE };
  }
  const later = laterRelease(probe);
  if (later !== undefined) {
    const refuse = `its name or folder says ${later}, but ${ONLY_THESE}; if it is one of these, put that year into its name`;
    return { source: SOURCE, product: productName(later), refuse };
  }
  const year = sviYear(probe);
  const product = productName(year);
  if (year === undefined) {
    return {
      source: SOURCE,
      product,
      refuse: `its name, columns and folder do not agree on one of the years ${SVI_YEARS.join(', ')}`,
    };
  }
  const column = findColumn(probe.header, SVI_GEOID);
  if (probe.rows.some((cells) => COUNTY_FIPS.test(cellAt(cells, column)))) {
    return { source: SOURCE, product, refuse: 'a county-level table: it has no census tracts' };
  }
  // Checked after county tables, whose places are written with commas in 2022, too.
  const contradiction = placesContradiction(probe);
  if (contradiction !== undefined) return { source: SOURCE, product, refuse: contradiction };
  return { source: SOURCE, product, read: (sink) => readSvi(probe, product, year, sink) };
}
