import { LOCATION_QUALITIES, PROVIDER_KINDS, PROVIDER_TYPES, type ProviderFilter } from '../core/provider-types.js';
import type { ByteSource } from './byte-source.js';
import { type ContainerReader, openContainer } from './container-reader.js';
import { type PointTree, readPointIndex } from './point-index.js';
import { lieInTreeOrder, openProviderRecords, type ProviderRecords } from './providers-file-records.js';
import { requireAscending } from './require-ascending.js';

export const PROVIDERS_FILE = 'providers.tctx';
export const PROVIDERS_KIND = 'providers';

/** Marks a provider that is in no tract of the dataset. */
export const IN_NO_TRACT = 0xffff_ffff;

/** The providers' columns, in ascending order of NPI, with those without an NPI last. */
export interface ProviderColumns {
  /** NaN if a provider has none. */
  readonly npis: Float64Array;
  /** Degrees. */
  readonly lats: Float64Array;
  readonly lngs: Float64Array;
  /** Positions in LOCATION_QUALITIES. */
  readonly qualities: Uint8Array;
  /** The row of each provider's tract, or {@link IN_NO_TRACT}. */
  readonly tracts: Uint32Array;
  /** Positions in PROVIDER_KINDS. */
  readonly types: Uint8Array;
}

/** providers.tctx, opened in place. */
export interface ProvidersFile extends ProviderColumns {
  readonly container: ContainerReader;
  readonly providerCount: number;
  readonly records: ProviderRecords;
  /** KD-trees that together contain each provider of the wanted type once. */
  trees(filter: ProviderFilter): readonly PointTree[];
  /** The rows of the wanted type in a tract, ascending. */
  rowsInTract(filter: ProviderFilter, tractRow: number): number[];
  /** The number of providers for each of LOCATION_QUALITIES. O(providers). */
  countByQuality(): Record<string, number>;
}

/** Opens providers.tctx and checks its header and section table. Throws FormatError. */
export function openProvidersFile(source: ByteSource, tractCount: number): ProvidersFile {
  const container = openContainer(source, PROVIDERS_KIND);
  const npis = container.float64('npi');
  const count = npis.length;
  const types = container.uint8('type', count);
  const qualities = container.uint8('position/quality', count);
  const firsts = container.uint32('by-tract/first', tractCount + 1);
  const byTract = container.uint32('by-tract/row');
  requireAscending(container, 'by-tract/first', firsts, byTract.length);
  const trees = PROVIDER_KINDS.flatMap((name) => {
    const rows = container.uint32(`by-type/${name}/row`);
    const index = readPointIndex(container, `by-type/${name}/kd-tree`, rows.length);
    // Nothing is found in an empty tree.
    return rows.length > 0 ? [{ name, rows, index }] : [];
  });
  const all = (): PointTree => ({
    index: readPointIndex(container, 'kd-tree', count),
    ordersRecords: lieInTreeOrder(container),
  });
  const treesByFilter = new Map<ProviderFilter, readonly PointTree[]>([
    ['all', count > 0 ? [all()] : []],
    ...PROVIDER_TYPES.map((type) => [type, trees.filter(({ name }) => name === type)] as const),
  ]);
  return {
    container,
    providerCount: count,
    npis,
    lats: container.float64('position/lat', count),
    lngs: container.float64('position/lng', count),
    qualities,
    tracts: container.uint32('tract', count),
    types,
    records: openProviderRecords(container, count),
    trees: (filter) => treesByFilter.get(filter) ?? [],
    rowsInTract: (filter, tractRow) => {
      const rows = [...byTract.subarray(firsts[tractRow], firsts[tractRow + 1])];
      return rows.filter((row) => filter === 'all' || PROVIDER_KINDS[types[row] ?? -1] === filter);
    },
    countByQuality: () => {
      const counts = Object.fromEntries(LOCATION_QUALITIES.map((quality) => [quality, 0]));
      for (const quality of qualities) {
        const name = LOCATION_QUALITIES[quality];
        if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
      }
      return counts;
    },
  };
}
