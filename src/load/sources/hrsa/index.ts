import type { TextProbe } from '../../files/probe.js';
import { hasColumns } from '../columns.js';
import type { KnownHeader } from '../known-header.js';
import { newestFirst, READ_TURNS } from '../read-turns.js';
import type { Recognition } from '../recognition.js';
import { OFFICIAL_LAYOUT, REDUCED_LAYOUT } from './layouts.js';
import { readHealthCenters } from './read.js';

const OFFICIAL_NAME = /^Health_Center_Service_Delivery_and_Look.?A?l?i?k?e?.*Sites.*\.csv$/i;
const PRODUCT = 'HRSA Health Center Service Delivery and Look-Alike Sites';

/** Only the official table: the reduced one's column names are everyday words, which any table may have. */
export const HRSA_HEADER: KnownHeader = {
  signature: ['Site Name', 'Site Address', 'FQHC Site NPI Number'],
  reads: OFFICIAL_LAYOUT.required,
  productOf: () => PRODUCT,
};

/** Recognizes HRSA's health-center sites: the official table, and a reduced one of eight columns, made for maps. */
export function recognizeHrsa(probe: TextProbe): Recognition | undefined {
  const { header } = probe;
  const official = OFFICIAL_NAME.test(probe.file.name) || hasColumns(header, ...HRSA_HEADER.signature);
  const reduced = !official && hasColumns(header, 'name', 'st_abbr', 'city', 'address', 'testing_status', 'lon', 'lat');
  if (!official && !reduced) return undefined;
  const layout = official ? OFFICIAL_LAYOUT : REDUCED_LAYOUT;
  const product = official ? PRODUCT : `${PRODUCT} (reduced)`;
  return {
    source: 'hrsa',
    product,
    // Read first: for a site that both tables have, the official table's row wins.
    turn: newestFirst(READ_TURNS.listedSites, official ? 1 : undefined),
    judgesDamage: true,
    read: (sink) => readHealthCenters(probe, product, layout, sink),
  };
}
