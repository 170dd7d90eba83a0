import type { TextProbe } from '../../files/probe.js';
import { cellAt, findColumn, hasColumns } from '../columns.js';
import { yearIn } from '../file-year.js';
import type { KnownHeader } from '../known-header.js';
import type { Recognition } from '../recognition.js';
import { EJSCREEN_COLUMNS, ejscreenNames } from './columns.js';
import { EJSCREEN_ID, readEjscreen } from './read.js';
import { EJSCREEN_YEARS, ejscreenYear, OFFICIAL_NAME, yearContradiction } from './vintage.js';

const SOURCE = 'ejscreen';
const PRODUCT = 'EPA EJScreen';
const ONLY_THESE = `only the releases of ${EJSCREEN_YEARS.join(', ')} are supported`;
const BLOCK_GROUP_ID = /^\d{12}$/;

export const EJSCREEN_HEADER: KnownHeader = {
  signature: ['ID', 'PTRAF', 'PRE1960PCT', 'PNPL', 'PRMP', 'PTSDF'],
  reads: ejscreenNames(EJSCREEN_COLUMNS.filter(({ until }) => until === undefined)),
  productOf: (probe) => productName(ejscreenYear(probe)),
};

const productName = (year: number | undefined): string => (year === undefined ? PRODUCT : `${PRODUCT} ${year}`);

/** Recognizes EPA EJScreen by tract, 2021 to 2024, ranked within nation or state: the values read are the same in both. */
export function recognizeEjscreen(probe: TextProbe): Recognition | undefined {
  const byHeader = hasColumns(probe.header, ...EJSCREEN_HEADER.signature);
  if (!byHeader && !OFFICIAL_NAME.test(probe.file.name)) return undefined;
  const year = ejscreenYear(probe);
  const product = productName(year);
  const refusal = (refuse: string): Recognition => ({ source: SOURCE, product, refuse });
  const column = findColumn(probe.header, EJSCREEN_ID);
  if (probe.rows.some((cells) => BLOCK_GROUP_ID.test(cellAt(cells, column)))) {
    return refusal('a block-group table: use the tract-level one');
  }
  if (year === undefined) return refusal('neither its name nor its columns or folder give its year');
  if (!EJSCREEN_YEARS.includes(year)) {
    const isNamed = yearIn(probe.file.name) !== undefined;
    return refusal(
      isNamed
        ? ONLY_THESE
        : `its folder says ${year}, but ${ONLY_THESE}; if it is one of these, put that year into its name`,
    );
  }
  const contradiction = yearContradiction(probe);
  if (contradiction !== undefined) return refusal(contradiction);
  return { source: SOURCE, product, read: (sink) => readEjscreen(probe, product, year, sink) };
}
