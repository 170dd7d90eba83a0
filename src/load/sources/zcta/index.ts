import type { TextProbe } from '../../files/probe.js';
import { cellAt, findColumn, hasColumns } from '../columns.js';
import { yearOfFile } from '../file-year.js';
import type { KnownHeader } from '../known-header.js';
import { newestFirst } from '../read-turns.js';
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

const HUD_CROSSWALK = 'HUD USPS ZIP to tract crosswalk';
const HUD_COLUMNS: ShareColumns = { zip: 'ZIP', tract: 'TRACT', weight: 'TOT_RATIO' };
const OF_TRACTS = 'it gives the shares of tracts that lie in ZIPs, not of ZIPs that lie in tracts; use ZIP_TRACT';

/** Census's relationship of ZCTAs to 2020 tracts, weighted by land; and HUD's of ZIPs to tracts, weighted by addresses. */
const SHARES: readonly { readonly product: string; readonly columns: ShareColumns }[] = [
  {
    product: '2020 Census ZCTA to tract relationship',
    columns: { zip: 'GEOID_ZCTA5_20', tract: 'GEOID_TRACT_20', weight: 'AREALAND_PART' },
  },
  { product: HUD_CROSSWALK, columns: HUD_COLUMNS },
];

/** Recognizes files that locate ZIPs: a gazetteer of ZCTAs, or a list of the tracts in which ZIPs lie. */
export function recognizeZcta(probe: TextProbe): Recognition | undefined {
  const { header } = probe;
  if (GAZETTEER_NAME.test(probe.file.name) || looksLikeGazetteer(probe)) {
    return {
      source: 'zcta',
      product: GAZETTEER,
      // The points of the newest one win.
      turn: newestFirst(0, (yearOfFile(probe.file) ?? 0) * 10_000),
      judgesDamage: true,
      read: (sink) => readZipGazetteer(probe, GAZETTEER, sink),
    };
  }
  for (const { product, columns } of SHARES) {
    if (!hasColumns(header, columns.zip, columns.tract, columns.weight)) continue;
    if (isOfTracts(probe)) return { source: 'zcta', product: 'HUD USPS tract to ZIP crosswalk', refuse: OF_TRACTS };
    return { source: 'zcta', product, judgesDamage: true, read: (sink) => readShares(probe, product, columns, sink) };
  }
  return undefined;
}

/** HUD's crosswalk in the other direction has the same columns; what each row's shares are shares of is in the first. */
const isOfTracts = ({ header }: TextProbe): boolean => findColumn(header, [HUD_COLUMNS.tract]) === 0;

function looksLikeGazetteer(probe: TextProbe): boolean {
  return hasColumns(probe.header, ...ZIP_GAZETTEER_HEADER.signature) && !namesState(probe) && namesZips(probe);
}

/** Whether the gazetteer names states, as those of other geographies with five digits do. */
const namesState = ({ header }: TextProbe): boolean => hasColumns(header, 'USPS');

function namesZips({ header, rows }: TextProbe): boolean {
  const column = findColumn(header, ['GEOID']);
  return rows.some((cells) => /^\d{5}$/.test(cellAt(cells, column)));
}
