import { type LoadedSource, vintageOf } from '../../core/loaded-source.js';
import { listRecords } from '../fetch/records.js';
import { storeLayout } from '../fetch/store-layout.js';
import { inputLabel } from '../files/discover.js';
import type { Tally } from '../intake/tally.js';
import type { SourceFile } from '../recognize/recognized-input.js';

/** What `fetch` recorded about a file. */
interface Fetched {
  /** Four digits; undefined for a file that the agency replaces in place. */
  readonly vintage: string | undefined;
  /** ISO 8601. */
  readonly day: string;
}

/** Looks a file up by its label; undefined if `fetch` did not download it. */
type FetchedOf = (label: string) => Fetched | undefined;

/** The fetch records of the files below the input directories. */
export function fetchedFiles(inputDirs: readonly string[]): FetchedOf {
  const byLabel = new Map<string, Fetched>();
  for (const dir of inputDirs) {
    const layout = storeLayout(dir);
    for (const { path, vintage, fetchedAt } of listRecords(layout)) {
      const label = inputLabel(inputDirs, dir, layout.file(path));
      byLabel.set(label, { vintage: vintage === 'latest' ? undefined : vintage, day: fetchedAt.slice(0, 10) });
    }
  }
  // An archive's member has the archive's record.
  return (label) => byLabel.get(label.replace(/!.*$/, ''));
}

/** Lists the sources that rows were kept from, with the fetch dates of their files; by source, newest vintage first. */
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
