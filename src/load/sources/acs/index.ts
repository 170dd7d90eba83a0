import type { TextProbe } from '../../files/probe.js';
import { findColumn, hasColumns } from '../columns.js';
import type { Likeness } from '../known-header.js';
import type { Recognition } from '../recognition.js';
import { API_GEO_ID, apiHeader, readApiJson } from './api-json.js';
import { acsHeader, tablesOf } from './columns.js';
import { BLOCK_GROUP_TABLE, COARSER_TABLE, geoIdWithoutTracts, refusalOfGeoId } from './geo-id.js';
import { readAcsTable } from './read-table.js';
import { recognizeSequences } from './sequence/index.js';
import { acsTable } from './tables.js';
import {
  type AcsVintage,
  acsProduct,
  acsVintage,
  parseAcsFileName,
  refusalOfVintage,
  yearsContradiction,
} from './vintage.js';

const SOURCE = 'acs';
const GEO_ID = 'GEO_ID';
const NO_YEAR =
  'neither its name nor its folder gives its year (the last of its five, which must have been published by now)';

/**
 * Recognizes American Community Survey 5-year files with the tables that metrics are taken from: data.census.gov CSVs,
 * table-based and sequence-based summary files, and Census API answers. It does not recognize other tables, table notes
 * and column metadata.
 */
export function recognizeAcs(probe: TextProbe): Recognition | undefined {
  return recognizeSequences(probe) ?? recognizeTables(probe);
}

function recognizeTables(probe: TextProbe): Recognition | undefined {
  const apiNames = apiHeader(probe.head);
  const named = parseAcsFileName(probe.file.name);
  const tables = tableIds(apiNames ?? probe.header);
  if (apiNames ? !isAnswer(apiNames) : !hasColumns(probe.header, GEO_ID)) tables.length = 0;
  if (tables.length === 0 && named && acsTable(named.table)) tables.push(named.table);
  if (tables.length === 0) return undefined;
  const title = `ACS ${tables.join(', ')}`;
  if (isDisplayed(probe)) return refusal(title, DISPLAYED);
  if (named?.span === 1) {
    return refusal(`${title} (1-year ${named.year})`, '1-year estimates are not published for census tracts');
  }
  const vintage = acsVintage(probe.file);
  if (!vintage) return refusal(title, named ? unpublished(named.year) : NO_YEAR);
  return withVintage(probe, apiNames, vintage, acsProduct(vintage, tables.join(', ')));
}

const unpublished = (year: number): string =>
  `the five years up to ${year} have not been published, by this machine’s clock (${new Date().toISOString().slice(0, 10)})`;

/** data.census.gov also exports a table as it shows it on the page: a row for each line, a column for each tract. */
const isDisplayed = ({ header }: TextProbe): boolean => header[0]?.toLowerCase() === 'label (grouping)';
const DISPLAYED =
  'it is the table as data.census.gov displays it, with a column for each area; download its data as a zip archive instead';

/** ACS estimates have column names of their own: a table that has them and no GEO_ID lacks only that column. */
export function likenessToAcs(probe: TextProbe): Likeness | undefined {
  const { file, header, head } = probe;
  if (isDisplayed(probe) && header.some((name) => /census tract/i.test(name))) {
    return { product: 'an ACS table as data.census.gov displays it', missing: [GEO_ID], share: 1 };
  }
  const tables = tableIds(header).join(', ');
  if (tables === '' || hasColumns(header, GEO_ID) || apiHeader(head)) return undefined;
  const vintage = acsVintage(file);
  return { product: vintage ? acsProduct(vintage, tables) : `ACS ${tables}`, missing: [GEO_ID], share: 1 };
}

function withVintage(
  probe: TextProbe,
  apiNames: readonly string[] | undefined,
  vintage: AcsVintage,
  product: string,
): Recognition {
  const why =
    yearsContradiction(probe.file) ??
    refusalOfVintage(vintage) ??
    (apiNames ? refusalOfAnswer(apiNames) : refusalOfTable(probe));
  if (why !== undefined) return refusal(product, why);
  return {
    source: SOURCE,
    product,
    read: (sink) => (apiNames ? readApiJson(probe.file, vintage, sink) : readAcsTable(probe, vintage, product, sink)),
  };
}

const hasGeoId = (names: readonly string[]): boolean => findColumn(names, API_GEO_ID) !== undefined;
const isAnswer = (names: readonly string[]): boolean => hasGeoId(names) || hasColumns(names, 'state');

/** Judges an answer by its columns; one with GEO_IDs is judged after it has been read. */
function refusalOfAnswer(names: readonly string[]): string | undefined {
  if (hasColumns(names, 'block group') || hasColumns(names, 'block')) return BLOCK_GROUP_TABLE;
  return hasGeoId(names) || hasColumns(names, 'county', 'tract') ? undefined : COARSER_TABLE;
}

/**
 * Judges only a table whose rows the probe saw completely: files with every geography begin with the nation, the states
 * and the counties. Longer tables are judged after they have been read.
 */
function refusalOfTable({ header, rows, whole }: TextProbe): string | undefined {
  const geoId = whole ? geoIdWithoutTracts(header, rows) : undefined;
  return geoId && refusalOfGeoId(geoId);
}

const refusal = (product: string, refuse: string): Recognition => ({ source: SOURCE, product, refuse });

const tableIds = (names: readonly string[]): string[] => tablesOf(acsHeader(names)).map(({ id }) => id);
