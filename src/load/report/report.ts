import { type Geoid, stateFipsOf } from '../../core/geoid.js';
import { metricIndex, metricsOf, SECTIONS, type Section } from '../../core/metrics.js';
import { obtain } from '../../core/obtain.js';
import { abbreviationOf } from '../../core/states.js';
import type { Refusal } from '../checks/refusal.js';
import { overThreshold } from '../checks/reject-threshold.js';
import { filesOfFractions, unreadableColumns } from '../checks/unreadable-cells.js';
import type { Example } from '../intake/example.js';
import { Tally } from '../intake/tally.js';
import type { TractRow } from '../intake/tract-rows.js';
import type { JoinedTracts } from '../join/join.js';
import type { SourceCatalog } from '../source-catalog.js';
import { type MetricGap, sectionGaps, type TrendGap, trendGaps } from './metric-gaps.js';
import { type OutlineGaps, outlineGaps } from './outline-gaps.js';
import { type StateInPart, statesInPart } from './states-in-part.js';
import { type TableInPart, tablesInPart } from './tables-in-part.js';
import { type UnusedSource, unusedSources } from './unused-sources.js';

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
  readonly outlineGaps: OutlineGaps;
  /** Of the states that the load is restricted to, those that the input has no tract of, by postal abbreviation. */
  readonly statesWithoutTracts: readonly string[];
  readonly statesInPart: readonly StateInPart[];
  readonly products: readonly {
    readonly source: string;
    readonly product: string;
    readonly read: number;
    readonly kept: number;
    readonly rejected: Readonly<Record<string, number>>;
    readonly leftOut: Readonly<Record<string, number>>;
    readonly notes: Readonly<Record<string, number>>;
  }[];
  readonly unusedSources: readonly UnusedSource[];
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
  /** Metrics that states have of some tracts, but not of most. */
  readonly metricsInPart: readonly MetricGap[];
  /** Tables that current values come from and that have rows of a part of a state's tracts only. */
  readonly tablesInPart: readonly TableInPart[];
  /** Of each ACS year: the trends lack what a state's missing file would have had, and the current value is another year's. */
  readonly trendsWithout: readonly TrendGap[];
  /** Files and sources with too many rejected rows or unreadable cells; if there are any, the dataset is not published. */
  readonly overThreshold: readonly Refusal[];
}

/** What a compile has read and joined, and what it is judged by. */
export interface Compiled {
  readonly tallies: readonly Tally[];
  readonly joined: JoinedTracts;
  readonly hasOutline: (geoid: Geoid) => boolean;
  readonly catalog: SourceCatalog;
  readonly files: ReportedFiles;
  /** The states that the load is restricted to (two-digit FIPS); empty if all are loaded. */
  readonly wantedStates: readonly string[];
  /** The label of the gazetteer that lists a tract, if one does. */
  readonly gazetteerOf: (geoid: Geoid) => string | undefined;
}

export function createReport(compiled: Compiled): CompileReport {
  const { tallies, joined, hasOutline, catalog, files, wantedStates, gazetteerOf } = compiled;
  const states = new Set(joined.tracts.map(({ geoid }) => stateFipsOf(geoid)));
  const gaps = SECTIONS.map((section) => sectionGaps(section, joined));
  return {
    ...files,
    tracts: joined.tracts.length,
    outlines: joined.tracts.filter(({ geoid }) => hasOutline(geoid)).length,
    outlineGaps: outlineGaps(joined.tracts, hasOutline),
    statesWithoutTracts: wantedStates.filter((fips) => !states.has(fips)).map(abbreviationOf),
    statesInPart: statesInPart(joined.tracts, gazetteerOf),
    products: byProduct(tallies).map(productOf),
    unusedSources: unusedSources(tallies),
    rejections: tallies.flatMap(rejectionsOf),
    unreadable: tallies.flatMap(unreadableOf),
    sections: Object.fromEntries(SECTIONS.map((section) => [section, coverageOf(section, joined, states)])),
    metricsWithout: gaps.flatMap(({ without }) => without),
    metricsInPart: gaps.flatMap(({ inPart }) => inPart),
    tablesInPart: tablesInPart(joined),
    trendsWithout: trendGaps(joined),
    overThreshold: [...overThreshold(tallies, catalog), ...unreadableColumns(tallies), ...filesOfFractions(tallies)],
  };
}

function productOf(tally: Tally): CompileReport['products'][number] {
  return {
    source: tally.source,
    product: tally.product,
    read: tally.read,
    kept: tally.kept,
    rejected: byReason(tally.rejected),
    leftOut: byReason(tally.leftOut),
    notes: byReason(tally.notes),
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

function coverageOf(section: Section, joined: JoinedTracts, states: ReadonlySet<string>): SectionCoverage {
  const covered = tractsWithValue(section, joined);
  const coveredStates = new Set(covered.map(({ geoid }) => stateFipsOf(geoid)));
  const statesWithout = [...states].filter((fips) => !coveredStates.has(fips)).map(abbreviationOf);
  return { with: covered.length, without: joined.tracts.length - covered.length, statesWithout };
}

function tractsWithValue(section: Section, { tracts, values }: JoinedTracts): TractRow[] {
  const columns = metricsOf(section).map(({ path }) => values[metricIndex(path)]);
  return tracts.filter((_, row) => columns.some((column) => !Number.isNaN(column?.[row] ?? Number.NaN)));
}
