import type { Recognition, TextProbe } from '../../model.js';
import { hasColumns } from '../columns.js';
import type { KnownHeader } from '../known-header.js';
import { newestFirst, READ_TURNS } from '../read-turns.js';
import { OFFICIAL_LAYOUT, REDUCED_LAYOUT } from './layouts.js';
import { readHealthCenters } from './read.js';

const OFFICIAL_NAME = /^Health_Center_Service_Delivery_and_Look.?A?l?i?k?e?.*Sites.*\.csv$/i;
const PRODUCT = 'HRSA Health Center Service Delivery and Look-Alike Sites';

/** The reduced table's names are everyday words: what has most of them may be anything. */
export const HRSA_HEADER: KnownHeader = {
  knownBy: ['Site Name', 'Site Address', 'FQHC Site NPI Number'],
  reads: OFFICIAL_LAYOUT.required,
  productOf: () => PRODUCT,
};

/** HRSA's health-center sites: the official table, and the one of eight columns that maps are drawn from. */
export function recognizeHrsa(probe: TextProbe): Recognition | undefined {
  const { header } = probe;
  const official = OFFICIAL_NAME.test(probe.file.name) || hasColumns(header, ...HRSA_HEADER.knownBy);
  const reduced = !official && hasColumns(header, 'name', 'st_abbr', 'city', 'address', 'testing_status', 'lon', 'lat');
  if (!official && !reduced) return undefined;
  const layout = official ? OFFICIAL_LAYOUT : REDUCED_LAYOUT;
  const product = official ? PRODUCT : `${PRODUCT} (reduced)`;
  return {
    source: 'hrsa',
    product,
    // The fuller table's rows stand where both have a site.
    turn: newestFirst(READ_TURNS.listedSites, official ? 1 : undefined),
    judgesDamage: true,
    read: (sink) => readHealthCenters(probe, product, layout, sink),
  };
}
