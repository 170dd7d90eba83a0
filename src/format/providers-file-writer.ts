import { PROVIDER_KINDS } from '../core/provider-types.js';
import type { SectionEntry } from './container-header.js';
import { numbers, opaque, type SectionContent, writeContainer } from './container-writer.js';
import { intoLists } from './lists.js';
import { buildPointIndex, openPointIndex } from './point-index.js';
import { PROVIDERS_KIND, type ProviderColumns } from './providers-file.js';
import { type ProviderRecord, recordSections } from './providers-file-records.js';

/** The content of providers.tctx. */
export interface ProvidersContent extends ProviderColumns {
  /** A row's record; called once per row, in any order. */
  recordOf(row: number): ProviderRecord;
}

/** Writes providers.tctx, with a KD-tree over all providers, one per provider type, and the providers of each tract. */
export function writeProvidersFile(path: string, content: ProvidersContent, tractCount: number): SectionEntry[] {
  // Providers in no tract are left out.
  const byTract = intoLists(tractCount, (add) =>
    content.tracts.forEach((tract, row) => {
      if (tract < tractCount) add(tract, row);
    }),
  );
  const tree = buildPointIndex(content.lngs, content.lats);
  return writeContainer(path, PROVIDERS_KIND, [
    numbers('npi', content.npis),
    numbers('position/lat', content.lats),
    numbers('position/lng', content.lngs),
    numbers('position/quality', content.qualities),
    numbers('tract', content.tracts),
    numbers('type', content.types),
    numbers('by-tract/first', byTract.starts),
    numbers('by-tract/row', byTract.values),
    ...PROVIDER_KINDS.flatMap((name, type) => typeSections(name, type, content)),
    opaque('kd-tree', tree),
    ...recordSections(openPointIndex(tree.buffer).ids, (row) => content.recordOf(row)),
  ]);
}

function typeSections(name: string, type: number, { types, lats, lngs }: ProviderColumns): SectionContent[] {
  const rows = Uint32Array.from(rowsOfType(types, type));
  const pick = (column: Float64Array): Float64Array => Float64Array.from(rows, (row) => column[row] ?? Number.NaN);
  // Built on demand, so that only one tree at a time is in memory.
  function* tree(): Generator<Uint8Array> {
    yield buildPointIndex(pick(lngs), pick(lats));
  }
  return [numbers(`by-type/${name}/row`, rows), opaque(`by-type/${name}/kd-tree`, tree())];
}

function* rowsOfType(types: Uint8Array, type: number): Generator<number> {
  for (let row = 0; row < types.length; row++) if (types[row] === type) yield row;
}
