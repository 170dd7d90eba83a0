import { stateFipsOf } from '../core/geoid.js';
import { metricIndex, metricsOf, SECTIONS, type Section, TREND_METRICS } from '../core/metrics.js';
import { obtain } from '../core/obtain.js';
import { abbreviationOf } from '../core/states.js';
import { formatTable } from '../core/table.js';
import type { Example } from './example.js';
import type { JoinedTracts } from './join.js';
import { type MetricGap, metricGaps, type TrendGap, trendGaps } from './metric-gaps.js';
import type { TractRow } from './model.js';
import type { Refusal } from './refusal.js';
import { overThreshold } from './reject-threshold.js';
import type { SourceCatalog } from './source-catalog.js';
import { Tally } from './tally.js';
import { filesOfFractions, unreadableColumns } from './unreadable-cells.js';

/** How many tracts have a value of a section, and how many none; one whose row has only missing values has none. */
export interface SectionCoverage {
  readonly with: number;
  readonly without: number;
  /** The states none of whose tracts has one, by postal abbreviation. */
  readonly statesWithout: readonly string[];
}

/** What a report says of the input files. */
export interface ReportedFiles {
  /** The files that were read, by product. */
  readonly found: readonly { readonly product: string; readonly files: readonly string[] }[];
  /** Files that no source recognizes. */
  readonly ignored: readonly string[];
  /** Files that may have been meant to be loaded, or to provide more than is loaded from them, with what is wrong. */
  readonly suspect: readonly string[];
}

/** The report of a compile, as `--report` writes it. Counts are rows unless said otherwise. */
export interface CompileReport extends ReportedFiles {
  readonly tracts: number;
  readonly outlines: number;
  /** Of the states that the load is restricted to, those that the input has no tract of, by postal abbreviation. */
  readonly statesWithoutTracts: readonly string[];
  readonly products: readonly {
    readonly source: string;
    readonly product: string;
    readonly read: number;
    readonly kept: number;
    readonly rejected: Readonly<Record<string, number>>;
    readonly leftOut: Readonly<Record<string, number>>;
    readonly notes: Readonly<Record<string, number>>;
  }[];
  /** Each file's reasons for rejecting rows, with the first few examples. */
  readonly rejections: readonly {
    readonly file: string;
    readonly product: string;
    readonly reason: string;
    readonly count: number;
    readonly examples: readonly Example[];
  }[];
  /** Columns with cells that became null for being no number or out of range, with the first few of those cells. */
  readonly unreadable: readonly {
    readonly file: string;
    readonly product: string;
    readonly column: string;
    readonly count: number;
    /** Number of the column's cells that hold anything but a missing code. */
    readonly present: number;
    readonly examples: readonly Example[];
  }[];
  readonly sections: Readonly<Record<string, SectionCoverage>>;
  /** Agencies lack some measures of some states: CDC PLACES 2025 has two of fourteen in Kentucky and Pennsylvania. */
  readonly metricsWithout: readonly MetricGap[];
  /** Of each ACS year: the trends lack what a state's missing file would have had, and the current value is another year's. */
  readonly trendsWithout: readonly TrendGap[];
  /** Files and sources with too many rejected rows or unreadable cells; if there are any, the dataset is not published. */
  readonly overThreshold: readonly Refusal[];
}

export function createReport(
  tallies: readonly Tally[],
  joined: JoinedTracts,
  outlineCount: number,
  catalog: SourceCatalog,
  files: ReportedFiles,
  wantedStates: readonly string[],
): CompileReport {
  const tracts = joined.tracts.length;
  const states = new Set(joined.tracts.map(({ geoid }) => stateFipsOf(geoid)));
  return {
    ...files,
    tracts,
    outlines: outlineCount,
    statesWithoutTracts: wantedStates.filter((fips) => !states.has(fips)).map(abbreviationOf),
    products: byProduct(tallies).map((tally) => ({
      source: tally.source,
      product: tally.product,
      read: tally.read,
      kept: tally.kept,
      rejected: byReason(tally.rejected),
      leftOut: byReason(tally.leftOut),
      notes: byReason(tally.notes),
    })),
    rejections: tallies.flatMap(rejectionsOf),
    unreadable: tallies.flatMap(unreadableOf),
    sections: Object.fromEntries(
      SECTIONS.map((section) => {
        const covered = tractsWithValue(section, joined);
        const coveredStates = new Set(covered.map(({ geoid }) => stateFipsOf(geoid)));
        const statesWithout = [...states].filter((fips) => !coveredStates.has(fips)).map(abbreviationOf);
        return [section, { with: covered.length, without: tracts - covered.length, statesWithout }];
      }),
    ),
    metricsWithout: SECTIONS.flatMap((section) => metricGaps(section, joined)),
    trendsWithout: trendGaps(joined),
    overThreshold: [...overThreshold(tallies, catalog), ...unreadableColumns(tallies), ...filesOfFractions(tallies)],
  };
}

function rejectionsOf({ file, product, rejected, examples }: Tally): CompileReport['rejections'] {
  return Object.entries(byReason(rejected)).map(([reason, count]) => ({
    file: file ?? '',
    product,
    reason,
    count,
    examples: examples.get(reason) ?? [],
  }));
}

function unreadableOf({ file, product, columns }: Tally): CompileReport['unreadable'] {
  return [...columns.values()]
    .filter(({ unreadable }) => unreadable > 0)
    .map(({ name, unreadable, present, examples }) => ({
      file: file ?? '',
      product,
      column: name,
      count: unreadable,
      present,
      examples,
    }));
}

/** Sums the tallies of each product's files, in the order in which the products first occur. */
function byProduct(tallies: readonly Tally[]): Tally[] {
  const products = new Map<string, Tally>();
  for (const tally of tallies) {
    const id = `${tally.source}/${tally.product}`;
    obtain(products, id, () => new Tally(tally.source, tally.product)).addAll(tally);
  }
  return [...products.values()];
}

/** Sorted by reason, since files are read concurrently and the order in which reasons occur is arbitrary. */
function byReason(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function tractsWithValue(section: Section, { tracts, values }: JoinedTracts): TractRow[] {
  const columns = metricsOf(section).map(({ path }) => values[metricIndex(path)]);
  return tracts.filter((_, row) => columns.some((column) => !Number.isNaN(column?.[row] ?? Number.NaN)));
}

/** More states are counted, not listed. */
const MOST_STATES_TOLD = 12;

const listStates = (states: readonly string[]): string =>
  states.length > MOST_STATES_TOLD ? `${states.length} states` : states.join(', ');

/** The states that have none of a section. In a section of which nothing is loaded, that goes without saying. */
function describeStatesWithout({ with: count, statesWithout }: SectionCoverage): string {
  return count === 0 ? '' : listStates(statesWithout);
}

function describeTrendGap({ year, metrics, states }: TrendGap): string {
  const what = metrics.length === TREND_METRICS.length ? 'nothing' : `none of ${metrics.join(', ')}`;
  return `trends of ${year}: ${what} in ${listStates(states)}`;
}

/** A dataset that lacks wanted states is published all the same; one without any tract is not, and is told why. */
function describeWithoutTracts({ tracts, statesWithoutTracts }: CompileReport): string[] {
  if (tracts === 0 || statesWithoutTracts.length === 0) return [];
  return [`None of ${statesWithoutTracts.join(', ')}: the input has neither a gazetteer nor outlines of their tracts`];
}

/** The text that ends a compile: row counts by product, reasons, sections and suspect files. */
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
    describeStatesWithout(count),
  ]);
  return [
    ...lines,
    ...(reasons.length > 0 ? ['', 'Why:', ...reasons] : []),
    '',
    ...formatTable(['section', 'tracts with', 'without', 'none in'], sections),
    ...report.metricsWithout.map(
      ({ section, metrics, states }) => `${section}: none of ${metrics.join(', ')} in ${listStates(states)}`,
    ),
    ...report.trendsWithout.map(describeTrendGap),
    `${report.tracts} tracts, ${report.outlines} with an outline`,
    ...describeWithoutTracts(report),
    ...(report.suspect.length > 0 ? ['', 'Not loaded, or only in part; check whether they should have been:'] : []),
    ...report.suspect.map((file) => `  ${file}`),
  ];
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);
