import type { Recognition, TextProbe } from '../../model.js';
import { cellAt, findColumn, hasColumns } from '../columns.js';
import { readZipGazetteer } from './read-gazetteer.js';
import { readShares, type ShareColumns } from './read-shares.js';

const GAZETTEER_NAME = /gaz_zcta/i;

/** Census's relationship of ZCTAs to 2020 tracts, weighed by land; and HUD's of ZIPs to tracts, weighed by addresses. */
const SHARES: readonly { readonly product: string; readonly columns: ShareColumns }[] = [
  {
    product: '2020 Census ZCTA to tract relationship',
    columns: { zip: 'GEOID_ZCTA5_20', tract: 'GEOID_TRACT_20', weight: 'AREALAND_PART' },
  },
  { product: 'HUD USPS ZIP to tract crosswalk', columns: { zip: 'ZIP', tract: 'TRACT', weight: 'TOT_RATIO' } },
];

/** Files that say where ZIPs are: a gazetteer of ZCTAs, or which tracts ZIPs lie in. */
export function recognizeZcta(probe: TextProbe): Recognition | undefined {
  const { header } = probe;
  if (GAZETTEER_NAME.test(probe.file.name) || looksLikeGazetteer(probe)) {
    const product = 'Census Gazetteer (ZCTAs)';
    return { source: 'zcta', product, judgesDamage: true, read: (sink) => readZipGazetteer(probe, product, sink) };
  }
  for (const { product, columns } of SHARES) {
    if (!hasColumns(header, columns.zip, columns.tract, columns.weight)) continue;
    return { source: 'zcta', product, judgesDamage: true, read: (sink) => readShares(probe, product, columns, sink) };
  }
  return undefined;
}

/** Gazetteers of other geographies with five digits name the state beside. */
function looksLikeGazetteer({ header, rows }: TextProbe): boolean {
  if (!hasColumns(header, 'GEOID', 'ALAND', 'INTPTLAT', 'INTPTLONG') || hasColumns(header, 'USPS')) return false;
  const column = findColumn(header, ['GEOID']);
  return rows.some((cells) => /^\d{5}$/.test(cellAt(cells, column)));
}
