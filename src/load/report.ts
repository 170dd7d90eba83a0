import { metricIndex, metricsOf, SECTIONS, type Section } from '../core/metrics.js';
import { formatTable } from '../core/table.js';
import type { JoinedTracts } from './join.js';
import type { SourceCatalog } from './source-catalog.js';
import type { Tally } from './tally.js';

/** The account of a compile, as `--report` writes it. Counts are rows, but for `sections`, which counts tracts. */
export interface CompileReport {
  /** The files that were read, by product. */
  readonly found: readonly { readonly product: string; readonly files: readonly string[] }[];
  /** Files that no source of tracts knows. */
  readonly ignored: readonly string[];
  readonly tracts: number;
  readonly outlines: number;
  readonly products: readonly {
    readonly source: string;
    readonly product: string;
    readonly read: number;
    readonly kept: number;
    readonly rejected: Readonly<Record<string, number>>;
    readonly leftOut: Readonly<Record<string, number>>;
    readonly notes: Readonly<Record<string, number>>;
  }[];
  /** Tracts with at least one value in each section, and without: a row of missing values is none. */
  readonly sections: Readonly<Record<string, { readonly with: number; readonly without: number }>>;
  /** Sources whose rejected rows passed their threshold; the dataset is then not published. */
  readonly overThreshold: readonly string[];
}

export function createReport(
  tallies: readonly Tally[],
  joined: JoinedTracts,
  outlineCount: number,
  catalog: SourceCatalog,
  files: Pick<CompileReport, 'found' | 'ignored'>,
): CompileReport {
  const tracts = joined.tracts.length;
  return {
    ...files,
    tracts,
    outlines: outlineCount,
    products: tallies.map((tally) => ({
      source: tally.source,
      product: tally.product,
      read: tally.read,
      kept: tally.kept,
      rejected: byReason(tally.rejected),
      leftOut: byReason(tally.leftOut),
      notes: byReason(tally.notes),
    })),
    sections: Object.fromEntries(
      SECTIONS.map((section) => {
        const count = tractsWithValue(section, joined);
        return [section, { with: count, without: tracts - count }];
      }),
    ),
    overThreshold: overThreshold(tallies, catalog),
  };
}

/** In order of the reasons: files are read side by side, and the order in which they come up is no one's. */
function byReason(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function tractsWithValue(section: Section, { tracts, values }: JoinedTracts): number {
  const columns = metricsOf(section).map(({ path }) => values[metricIndex(path)]);
  return tracts.filter((_, row) => columns.some((column) => !Number.isNaN(column?.[row] ?? Number.NaN))).length;
}

/** Sources of whose rows a greater share was rejected than `datasets/sources.json` allows, in words. */
function overThreshold(tallies: readonly Tally[], catalog: SourceCatalog): string[] {
  const sources = [...new Set(tallies.map((tally) => tally.source))];
  return sources.flatMap((source) => {
    const own = tallies.filter((tally) => tally.source === source);
    // What was left out is neither right nor wrong: the share is of the rows that were judged.
    const judged = own.reduce((sum, tally) => sum + tally.read - tally.leftOutRows, 0);
    const rejected = own.reduce((sum, tally) => sum + tally.rejectedRows, 0);
    const limit = catalog[source].maxRejectShare;
    if (rejected <= judged * limit) return [];
    return [`${source}: ${rejected} of ${judged} rows rejected, more than ${limit * 100}%`];
  });
}

/** The table at the end of a compile. */
export function formatReport(report: CompileReport): string[] {
  const rows = report.products.map((product) => [
    product.product,
    String(product.read),
    String(product.kept),
    String(sum(product.rejected)),
    String(sum(product.leftOut)),
  ]);
  const lines = formatTable(['product', 'rows read', 'kept', 'rejected', 'left out'], rows);
  const reasons = report.products.flatMap((product) => [
    ...Object.entries(product.rejected).map(([reason, count]) => `  ${product.product}: ${count} rejected: ${reason}`),
    ...Object.entries(product.leftOut).map(([reason, count]) => `  ${product.product}: ${count} left out: ${reason}`),
    ...Object.entries(product.notes).map(([note, count]) => `  ${product.product}: ${count} × ${note}`),
  ]);
  const sections = Object.entries(report.sections).map(([section, count]) => [
    section,
    String(count.with),
    String(count.without),
  ]);
  return [
    ...lines,
    ...(reasons.length > 0 ? ['', 'Why:', ...reasons] : []),
    '',
    ...formatTable(['section', 'tracts with', 'without'], sections),
    `${report.tracts} tracts, ${report.outlines} with an outline`,
  ];
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);
