import { groupBy } from '../../core/group-by.js';
import { metricsOf, TREND_METRICS } from '../../core/metrics.js';
import { sum } from '../../core/sum.js';
import { formatTable } from '../../core/table.js';
import { type MetricGap, MOST_SHARE, type TrendGap } from './metric-gaps.js';
import type { CompileReport, SectionCoverage } from './report.js';
import type { TableInPart } from './tables-in-part.js';
import type { UnusedSource } from './unused-sources.js';

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

/** Where points find no tract; where no outlines are loaded at all, that goes without saying. */
function describeOutlineGaps({ outlines, outlineGaps: { without, inPart } }: CompileReport): string[] {
  return [
    ...(outlines > 0 && without.length > 0 ? [`outlines: none in ${listStates(without)}`] : []),
    ...(inPart.length > 0 ? [`outlines: less than ${MOST_SHARE * 100}% of the tracts in ${listStates(inPart)}`] : []),
  ];
}

/** A dataset that lacks wanted states is published all the same; one without any tract is not, and is told why. */
function describeWithoutTracts({ tracts, statesWithoutTracts }: CompileReport): string[] {
  if (tracts === 0 || statesWithoutTracts.length === 0) return [];
  return [`None of ${statesWithoutTracts.join(', ')}: the input has neither a gazetteer nor outlines of their tracts`];
}

function describeInPart({ section, metrics, states }: MetricGap): string {
  const what = metrics.length === metricsOf(section).length ? '' : `${metrics.join(', ')} of `;
  return `${section}: ${what}less than ${MOST_SHARE * 100}% of the tracts in ${listStates(states)}`;
}

/** A sentence on each table of which a state has only a part. */
function describeTablesInPart({ tablesInPart }: CompileReport): string[] {
  return [...groupBy(tablesInPart, ({ product }) => product)].map(([product, tables]) => {
    const [first, ...others] = new Set(tables.flatMap(({ files }) => files));
    const files = others.length > 0 ? `${first} and ${others.length} more are` : `${first} is`;
    return `${product}: only ${listShares(tables)}: check whether ${files} complete`;
  });
}

/** `210 of 262 tracts in DE, 100 of 206 in DC`. */
function listShares(tables: readonly TableInPart[]): string {
  if (tables.length > MOST_STATES_TOLD) return `a part of the tracts in ${tables.length} states`;
  return tables
    .map(({ state, tracts, of }, at) => `${tracts} of ${of}${at === 0 ? ' tracts' : ''} in ${state}`)
    .join(', ');
}

/** A sentence on the states of which only a part is loaded; none if there are none. */
export function describeStatesInPart({ statesInPart }: CompileReport): string[] {
  if (statesInPart.length === 0) return [];
  const each = statesInPart.map(({ state, tracts, of }) => `${tracts} of ${of} in ${state}`);
  const where = each.length > MOST_STATES_TOLD ? `in ${each.length} states` : `(${each.join(', ')})`;
  const gazetteers = [...new Set(statesInPart.flatMap(({ gazetteer }) => gazetteer ?? []))];
  const [verb, lists] = [gazetteers.length === 1 ? 'is' : 'are', gazetteers.join(', ') || 'the outlines'];
  return [`Only a part of the tracts ${where}: check whether ${lists} ${verb} complete`];
}

function describeUnused({ source, read, leftOut }: UnusedSource): string {
  return `${source}: none of ${read} rows used: ${leftOut.map(({ reason, count }) => `${count} × ${reason}`).join(', ')}`;
}

/** The text that ends a compile: row counts by product, reasons, sections, unused sources and suspect files. */
export function formatReport(report: CompileReport): string[] {
  const rows = report.products.map((product) => [
    product.product,
    String(product.read),
    String(product.kept),
    String(sum(Object.values(product.rejected))),
    String(sum(Object.values(product.leftOut))),
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
  const doubtful = [...report.unusedSources.map(describeUnused), ...report.suspect];
  return [
    ...lines,
    ...(reasons.length > 0 ? ['', 'Why:', ...reasons] : []),
    '',
    ...formatTable(['section', 'tracts with', 'without', 'none in'], sections),
    ...report.metricsWithout.map(
      ({ section, metrics, states }) => `${section}: none of ${metrics.join(', ')} in ${listStates(states)}`,
    ),
    ...report.metricsInPart.map(describeInPart),
    ...describeTablesInPart(report),
    ...report.trendsWithout.map(describeTrendGap),
    `${report.tracts} tracts, ${report.outlines} with an outline`,
    ...describeOutlineGaps(report),
    ...describeWithoutTracts(report),
    ...describeStatesInPart(report),
    ...(doubtful.length > 0 ? ['', 'Not loaded, or only in part; check whether they should have been:'] : []),
    ...doubtful.map((line) => `  ${line}`),
  ];
}
