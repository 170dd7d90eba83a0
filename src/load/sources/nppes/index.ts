import type { TextProbe } from '../../files/probe.js';
import { hasColumns } from '../columns.js';
import type { KnownHeader } from '../known-header.js';
import { newestFirst, READ_TURNS } from '../read-turns.js';
import type { Recognition } from '../recognition.js';
import { REGISTRY_COLUMNS } from './columns.js';
import { readLocations } from './read-locations.js';
import { readRegistry } from './read-registry.js';
import { lastDayOf, throughDay } from './vintage.js';

const REGISTRY_NAME = /^npidata_pfile_.*\.csv$/i;
const LOCATIONS_NAME = /^pl_pfile_.*\.csv$/i;
/** The registry's archives accompany each file with one that consists of its header only. */
const HEADER_ONLY = /fileheader/i;

export const REGISTRY_HEADER: KnownHeader = {
  signature: ['NPI', 'Entity Type Code', 'Healthcare Provider Taxonomy Code_1'],
  reads: REGISTRY_COLUMNS,
  productOf: ({ file }) => registryProduct(lastDayOf(file)),
};

const registryProduct = (day: number | undefined): string => `NPPES registry ${throughDay(day)}`;

/**
 * Recognizes the dissemination files of the National Plan and Provider Enumeration System: the registry itself, full or
 * weekly, with 329 or 330 columns, and the further practice locations that come with it.
 */
export function recognizeNppes(probe: TextProbe): Recognition | undefined {
  if (HEADER_ONLY.test(probe.file.name)) return undefined;
  const day = lastDayOf(probe.file);
  const { header } = probe;
  if (
    LOCATIONS_NAME.test(probe.file.name) ||
    hasColumns(header, 'NPI', 'Provider Secondary Practice Location Address - City Name')
  ) {
    const product = `NPPES practice locations ${throughDay(day)}`;
    return {
      source: 'nppes',
      product,
      turn: newestFirst(READ_TURNS.furtherLocations, day),
      judgesDamage: true,
      read: (sink) => readLocations(probe, product, sink),
    };
  }
  if (!REGISTRY_NAME.test(probe.file.name) && !hasColumns(header, ...REGISTRY_HEADER.signature)) {
    return undefined;
  }
  const product = registryProduct(day);
  return {
    source: 'nppes',
    product,
    turn: newestFirst(READ_TURNS.registry, day),
    judgesDamage: true,
    read: (sink) => readRegistry(probe, product, sink),
  };
}
