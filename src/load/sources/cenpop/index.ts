import type { TextProbe } from '../../files/probe.js';
import { Layer } from '../../intake/layer.js';
import type { LoadSink } from '../../intake/load-sink.js';
import { cellAt, findColumn, hasColumns, requireColumns } from '../columns.js';
import type { KnownHeader } from '../known-header.js';
import { emptyIsMissing, parseDecimal, readNumber } from '../number-cell.js';
import { positionFault } from '../position-fault.js';
import { readTable } from '../read-table.js';
import type { Recognition } from '../recognition.js';
import { takeTract, whySpoiled } from '../tract-field.js';
import { checkRange } from '../value-range.js';

const OFFICIAL_NAME = /^CenPop2020_Mean_TR.*\.(txt|csv)$/i;
const PRODUCT = '2020 Census (centers of population)';

const COLUMNS = {
  state: ['STATEFP'],
  county: ['COUNTYFP'],
  tract: ['TRACTCE'],
  population: ['POPULATION'],
} as const;

/** The columns that make up the GEOID, as messages name them. */
const GEOID_COLUMNS = 'STATEFP, COUNTYFP, TRACTCE';

export const CENPOP_HEADER: KnownHeader = {
  signature: ['STATEFP', 'COUNTYFP', 'TRACTCE', 'POPULATION', 'LATITUDE'],
  reads: COLUMNS,
  productOf: (probe) => (couldBeOf2020(probe) ? PRODUCT : undefined),
};

/** Recognizes CenPop2020_Mean_TR, each tract's 2020 count. Files of 2010, of block groups and of counties are not taken. */
export function recognizeCenpop(probe: TextProbe): Recognition | undefined {
  const official = OFFICIAL_NAME.test(probe.file.name);
  const byHeader = hasColumns(probe.header, ...CENPOP_HEADER.signature) && couldBeOf2020(probe);
  if (!official && !byHeader) return undefined;
  return { source: 'cenpop', product: PRODUCT, read: (sink) => readCenpop(probe, sink) };
}

function couldBeOf2020({ header, file }: TextProbe): boolean {
  return !hasColumns(header, 'BLKGRPCE') && /2020/.test(file.name);
}

/** Why a file of tracts that no source recognizes is not taken for this product; undefined if it has other columns. */
export function whyNotCenpop({ header }: TextProbe): string | undefined {
  if (!hasColumns(header, ...CENPOP_HEADER.signature) || hasColumns(header, 'BLKGRPCE')) return undefined;
  return `looks like ${PRODUCT}, but its name does not say 2020`;
}

/** Reads the counts as a layer that fills in for tracts without a population in ACS. */
async function readCenpop(probe: TextProbe, sink: LoadSink): Promise<void> {
  const tally = sink.tally('cenpop', PRODUCT, probe.file.label);
  const layer = new Layer(
    {
      source: 'cenpop',
      table: 'CenPop',
      year: 2020,
      tractVintage: 2020,
      label: PRODUCT,
      metrics: ['total_population'],
      preference: 2,
    },
    tally,
  );
  await readTable(probe, tally, (header) => {
    const columns = requireColumns(probe.file.label, header, COLUMNS);
    const population = tally.column('POPULATION');
    const [latColumn, lngColumn] = ['LATITUDE', 'LONGITUDE'].map((name) => findColumn(header, [name]));
    const degrees = (text: string): number => parseDecimal(text) ?? Number.NaN;
    return (cells) => {
      const codes = [columns.state, columns.county, columns.tract].map((column) => cellAt(cells, column));
      const spoiled = codes.map((code) => whySpoiled(code)).find((why) => why !== undefined);
      if (spoiled !== undefined) return tally.reject(spoiled, { column: GEOID_COLUMNS, value: codes.join(', ') });
      const [state = '', county = '', tract = ''] = codes;
      const field = takeTract(state + county.padStart(3, '0') + tract.padStart(6, '0'), sink, tally, GEOID_COLUMNS);
      if (!field) return;
      const text = cellAt(cells, columns.population);
      const count = readNumber(text, emptyIsMissing, population);
      layer.add(field.geoid, [checkRange('total_population', count, population, text)], field.padded);
      const center = { lat: degrees(cellAt(cells, latColumn)), lng: degrees(cellAt(cells, lngColumn)) };
      // Where nobody lives, the center is just any point.
      if (count > 0 && positionFault(center) === undefined) {
        sink.addPopulationCenter(field.geoid, center, probe.file.label);
      }
    };
  });
  sink.addLayer(layer);
}
