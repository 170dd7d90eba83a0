import { type LoadedSource, vintageOf } from '../core/loaded-source.js';
import { listRecords } from './fetch/records.js';
import { storeLayout } from './fetch/store-layout.js';
import { inputLabel } from './files/discover.js';
import type { SourceFile } from './recognize.js';
import type { Tally } from './tally.js';

/** What `fetch` noted of a file. */
interface Fetched {
  /** Four digits; undefined for what is replaced in its place. */
  readonly vintage: string | undefined;
  /** ISO 8601. */
  readonly day: string;
}

/** Finds out what is known of a file by its label; undefined where `fetch` did not bring it. */
type FetchedOf = (label: string) => Fetched | undefined;

/** What `fetch` noted of the files below the input directories. */
export function fetchedFiles(inputDirs: readonly string[]): FetchedOf {
  const byLabel = new Map<string, Fetched>();
  for (const dir of inputDirs) {
    const layout = storeLayout(dir);
    for (const { path, vintage, fetchedAt } of listRecords(layout)) {
      const label = inputLabel(inputDirs, dir, layout.file(path));
      byLabel.set(label, { vintage: vintage === 'latest' ? undefined : vintage, day: fetchedAt.slice(0, 10) });
    }
  }
  // A member is as old as its archive.
  return (label) => byLabel.get(label.replace(/!.*$/, ''));
}

/** Lists the sources of which rows were kept, and how old their files are: by source, then the newest vintage first. */
export function listLoadedSources(
  files: readonly SourceFile[],
  tallies: readonly Tally[],
  fetchedOf: FetchedOf,
): LoadedSource[] {
  const unused = new Set(tallies.filter(({ read }) => read > 0).map(({ product }) => product));
  for (const { product, kept } of tallies) if (kept > 0) unused.delete(product);
  const found = new Map<string, LoadedSource>();
  for (const { source, product, label } of files) {
    if (unused.has(product)) continue;
    const { vintage: noted = null, day = null } = fetchedOf(label) ?? {};
    const vintage = vintageOf(product) ?? noted;
    const id = `${source} ${vintage}`;
    found.set(id, { source, vintage, fetched: later(found.get(id)?.fetched ?? null, day) });
  }
  return [...found.values()].sort(inOrder);
}

const later = (a: string | null, b: string | null): string | null => (a !== null && b !== null && a > b ? a : (b ?? a));

function inOrder(a: LoadedSource, b: LoadedSource): number {
  if (a.source !== b.source) return a.source < b.source ? -1 : 1;
  return (a.vintage ?? '') > (b.vintage ?? '') ? -1 : 1;
}
