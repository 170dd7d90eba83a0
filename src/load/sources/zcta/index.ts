import type { TextProbe } from '../../files/probe.js';
import { cellAt, findColumn, hasColumns } from '../columns.js';
import type { KnownHeader } from '../known-header.js';
import type { Recognition } from '../recognition.js';
import { readZipGazetteer, ZIP_GAZETTEER_COLUMNS } from './read-gazetteer.js';
import { readShares, type ShareColumns } from './read-shares.js';

const GAZETTEER_NAME = /gaz_zcta/i;
const GAZETTEER = 'Census Gazetteer (ZCTAs)';

export const ZIP_GAZETTEER_HEADER: KnownHeader = {
  signature: ['GEOID', 'ALAND', 'INTPTLAT', 'INTPTLONG'],
  reads: ZIP_GAZETTEER_COLUMNS,
  productOf: (probe) =>
    namesState(probe) || (hasColumns(probe.header, 'GEOID') && !namesZips(probe)) ? undefined : GAZETTEER,
};

/** Census's relationship of ZCTAs to 2020 tracts, weighted by land; and HUD's of ZIPs to tracts, weighted by addresses. */
const SHARES: readonly { readonly product: string; readonly columns: ShareColumns }[] = [
  {
    product: '2020 Census ZCTA to tract relationship',
    columns: { zip: 'GEOID_ZCTA5_20', tract: 'GEOID_TRACT_20', weight: 'AREALAND_PART' },
  },
  { product: 'HUD USPS ZIP to tract crosswalk', columns: { zip: 'ZIP', tract: 'TRACT', weight: 'TOT_RATIO' } },
];

/** Recognizes files that locate ZIPs: a gazetteer of ZCTAs, or a list of the tracts in which ZIPs lie. */
export function recognizeZcta(probe: TextProbe): Recognition | undefined {
  const { header } = probe;
  if (GAZETTEER_NAME.test(probe.file.name) || looksLikeGazetteer(probe)) {
    return {
      source: 'zcta',
      product: GAZETTEER,
      judgesDamage: true,
      read: (sink) => readZipGazetteer(probe, GAZETTEER, sink),
    };
  }
  for (const { product, columns } of SHARES) {
    if (!hasColumns(header, columns.zip, columns.tract, columns.weight)) continue;
    return { source: 'zcta', product, judgesDamage: true, read: (sink) => readShares(probe, product, columns, sink) };
  }
  return undefined;
}

function looksLikeGazetteer(probe: TextProbe): boolean {
  return hasColumns(probe.header, ...ZIP_GAZETTEER_HEADER.signature) && !namesState(probe) && namesZips(probe);
}

/** Whether the gazetteer names states, as those of other geographies with five digits do. */
const namesState = ({ header }: TextProbe): boolean => hasColumns(header, 'USPS');

function namesZips({ header, rows }: TextProbe): boolean {
  const column = findColumn(header, ['GEOID']);
  return rows.some((cells) => /^\d{5}$/.test(cellAt(cells, column)));
}
