import type KDBush from 'kdbush';
import { PROVIDER_FILTERS, PROVIDER_TYPES, type ProviderFilter } from '../core/provider-types.js';
import { mapFile } from './byte-source.js';
import type { SectionEntry } from './container-header.js';
import { type ContainerReader, openContainer } from './container-reader.js';
import { numbers, opaque, type SectionContent, writeContainer } from './container-writer.js';
import { buildPointIndex, openPointIndex, type PointTree } from './point-index.js';
import { openTextTable, type PackedTexts, packedSections, type TextTable } from './text-table.js';

export const PROVIDERS_FILE = 'providers.tctx';
export const PROVIDERS_KIND = 'providers';

/** Marks a provider who is in no tract of the dataset. */
export const IN_NO_TRACT = 0xffff_ffff;

/** The providers' columns, row by row in ascending NPI order. */
export interface ProviderColumns {
  readonly npis: Float64Array;
  /** Degrees. */
  readonly lats: Float64Array;
  readonly lngs: Float64Array;
  /** The row of each one's tract, or {@link IN_NO_TRACT}. */
  readonly tracts: Uint32Array;
  /** Positions in PROVIDER_TYPES. */
  readonly types: Uint8Array;
}

/** All that providers.tctx is made of. */
export interface ProvidersContent extends ProviderColumns {
  /** Each provider's properties (SPEC 2.13) as JSON members, without the braces around them. */
  readonly properties: PackedTexts;
  /** The members that a search's answer has besides, likewise. */
  readonly details: PackedTexts;
}

/** A rectangle in degrees, its borders part of it. West may be greater than east: it then crosses the antimeridian. */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Writes providers.tctx, with a KD-tree a provider type and the providers of each tract. */
export function writeProvidersFile(path: string, content: ProvidersContent, tractCount: number): SectionEntry[] {
  const byTract = groupByTract(content.tracts, tractCount);
  return writeContainer(path, PROVIDERS_KIND, [
    numbers('npi', content.npis),
    numbers('position/lat', content.lats),
    numbers('position/lng', content.lngs),
    numbers('tract', content.tracts),
    numbers('type', content.types),
    numbers('by-tract/first', byTract.firsts),
    numbers('by-tract/row', byTract.rows),
    ...PROVIDER_TYPES.flatMap((name, type) => typeSections(name, type, content)),
    ...packedSections('properties', content.properties),
    ...packedSections('details', content.details),
  ]);
}

function typeSections(name: string, type: number, { types, lats, lngs }: ProvidersContent): SectionContent[] {
  const rows: number[] = [];
  types.forEach((value, row) => {
    if (value === type) rows.push(row);
  });
  const pick = (column: Float64Array): Float64Array => Float64Array.from(rows, (row) => column[row] ?? Number.NaN);
  return [
    numbers(`by-type/${name}/row`, Uint32Array.from(rows)),
    opaque(`by-type/${name}/kd-tree`, buildPointIndex(pick(lngs), pick(lats))),
  ];
}

/** The rows in each tract, ascending, and where each tract's begin; those in no tract are left out. */
function groupByTract(tracts: Uint32Array, tractCount: number): { firsts: Uint32Array; rows: Uint32Array } {
  const firsts = new Uint32Array(tractCount + 1);
  for (const tract of tracts) if (tract < tractCount) firsts[tract + 1] = (firsts[tract + 1] ?? 0) + 1;
  for (let tract = 0; tract < tractCount; tract++) firsts[tract + 1] = (firsts[tract + 1] ?? 0) + (firsts[tract] ?? 0);
  const next = firsts.slice();
  const rows = new Uint32Array(firsts[tractCount] ?? 0);
  tracts.forEach((tract, row) => {
    if (tract >= tractCount) return;
    const position = next[tract] ?? 0;
    rows[position] = row;
    next[tract] = position + 1;
  });
  return { firsts, rows };
}

/** providers.tctx, opened in place. */
export interface ProvidersFile extends ProviderColumns {
  readonly container: ContainerReader;
  readonly providerCount: number;
  readonly properties: TextTable;
  readonly details: TextTable;
  /** KD-trees that together hold each provider of the wanted type once. */
  trees(filter: ProviderFilter): readonly PointTree[];
  /** Rows of the wanted type within a rectangle, in no order. */
  rowsWithin(filter: ProviderFilter, box: Box): number[];
  /** Rows in a tract, ascending. */
  rowsInTract(filter: ProviderFilter, tractRow: number): number[];
}

/** Maps providers.tctx and checks its header and section table. Throws FormatError. */
export function openProvidersFile(path: string, tractCount: number): ProvidersFile {
  return readProvidersFile(openContainer(mapFile(path), PROVIDERS_KIND), tractCount);
}

/** The file's parts out of an opened container. */
export function readProvidersFile(container: ContainerReader, tractCount: number): ProvidersFile {
  const npis = container.float64('npi');
  const count = npis.length;
  const types = container.uint8('type', count);
  const firsts = container.uint32('by-tract/first', tractCount + 1);
  const byTract = container.uint32('by-tract/row', firsts[tractCount]);
  const trees = PROVIDER_TYPES.map((name) => ({
    name,
    rows: container.uint32(`by-type/${name}/row`),
    index: openPointIndex(container.bytes(`by-type/${name}/kd-tree`)),
  }));
  const treesByFilter = new Map(
    // KDBush does not end on an empty tree.
    PROVIDER_FILTERS.map((filter) => [
      filter,
      trees.filter(({ name, rows }) => (filter === 'all' || filter === name) && rows.length > 0),
    ]),
  );
  const treesOf = (filter: ProviderFilter): typeof trees => treesByFilter.get(filter) ?? [];
  const search = (filter: ProviderFilter, find: (index: KDBush) => number[]): number[] =>
    treesOf(filter).flatMap(({ rows, index }) => find(index).map((position) => rows[position] ?? 0));

  return {
    container,
    providerCount: count,
    npis,
    lats: container.float64('position/lat', count),
    lngs: container.float64('position/lng', count),
    tracts: container.uint32('tract', count),
    types,
    properties: openTextTable(container, 'properties', count),
    details: openTextTable(container, 'details', count),
    trees: treesOf,
    rowsWithin: (filter, { west, south, east, north }) => {
      if (west <= east) return search(filter, (index) => index.range(west, south, east, north));
      return search(filter, (index) => [
        ...index.range(west, south, 180, north),
        ...index.range(-180, south, east, north),
      ]);
    },
    rowsInTract: (filter, tractRow) => {
      const rows = [...byTract.subarray(firsts[tractRow], firsts[tractRow + 1])];
      return rows.filter((row) => filter === 'all' || PROVIDER_TYPES[types[row] ?? -1] === filter);
    },
  };
}
