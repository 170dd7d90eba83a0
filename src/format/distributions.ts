import { METRICS, metricIndex, UNRANKED_METRICS } from '../core/metrics.js';
import { SCOPES, type Scope } from '../core/scopes.js';
import { mean, RANK_TENTHS, rankThresholds, sortedKnown } from '../core/statistics.js';
import type { ContainerReader } from './container-reader.js';
import { numbers, type SectionContent } from './container-writer.js';
import type { Area, DatasetDescription } from './description.js';

/** How the metrics' values are distributed over a dataset's tracts. Matrices are row-major. */
export interface Distributions {
  /**
   * By unranked metric and rank, from 1 to 1000 tenths of a percent: the value that must be exceeded for it among all tracts
   * that have the value. NaN if none has.
   */
  readonly thresholds: Float64Array;
  /** By unranked metric: the plain mean over all tracts that have the value, in the metric's unit; NaN if none has. */
  readonly averages: Float64Array;
  /** By area: its tracts, without those that have no residents, for which most values are not published. */
  readonly inhabited: Readonly<Record<Scope, Uint32Array>>;
  /** By area and metric: how many of these tracts have the value. */
  readonly known: Readonly<Record<Scope, Uint32Array>>;
}

/** What distributions are made from. */
interface Distributed {
  readonly description: Pick<DatasetDescription, 'counties' | 'states'>;
  /** One column per metric, in the order of METRICS. */
  readonly values: readonly Float64Array[];
}

const THRESHOLD = 'distribution/threshold';
const AVERAGE = 'distribution/average';

/** The sections `distribution/…`, `inhabited/…` and `known/…` of tracts.tctx. */
export function distributionSections(tracts: Distributed): SectionContent[] {
  const { thresholds, averages, inhabited, known } = computeDistributions(tracts);
  return [
    numbers(THRESHOLD, thresholds),
    numbers(AVERAGE, averages),
    ...SCOPES.map((scope) => numbers(`inhabited/${scope}`, inhabited[scope])),
    ...SCOPES.map((scope) => numbers(`known/${scope}`, known[scope])),
  ];
}

/** Opens the sections written by {@link distributionSections} in place; if the file has none, computes them when asked. */
export function openDistributions(container: ContainerReader, tracts: Distributed): () => Distributions {
  if (!container.sections.some(({ name }) => name === THRESHOLD)) {
    let computed: Distributions | undefined;
    return () => {
      computed ??= computeDistributions(tracts);
      return computed;
    };
  }
  const areas = areasOf(tracts);
  const counts = (name: string, perArea: number): Record<Scope, Uint32Array> =>
    byScope((scope) => container.uint32(`${name}/${scope}`, areas[scope].length * perArea));
  const opened: Distributions = {
    thresholds: container.float64(THRESHOLD, UNRANKED_METRICS.length * RANK_TENTHS),
    averages: container.float64(AVERAGE, UNRANKED_METRICS.length),
    inhabited: counts('inhabited', 1),
    known: counts('known', METRICS.length),
  };
  return () => opened;
}

/** Sorts the unranked columns, O(n log n) each, and passes over all others. */
export function computeDistributions(tracts: Distributed): Distributions {
  const thresholds = new Float64Array(UNRANKED_METRICS.length * RANK_TENTHS);
  const averages = UNRANKED_METRICS.map(({ path }, at) => {
    const sorted = sortedKnown(tracts.values[metricIndex(path)] ?? []);
    thresholds.set(rankThresholds(sorted), at * RANK_TENTHS);
    return mean(sorted);
  });
  return { thresholds, averages: Float64Array.from(averages), ...countValues(tracts) };
}

function countValues(tracts: Distributed): Pick<Distributions, 'inhabited' | 'known'> {
  const { values } = tracts;
  const areas = areasOf(tracts);
  const population = values[metricIndex('total_population')] ?? new Float64Array();
  const residents = countUp(population, () => true);
  const inhabited = byScope((scope) => Uint32Array.from(areas[scope], (area) => countIn(residents, area)));
  const known = byScope((scope) => new Uint32Array(areas[scope].length * METRICS.length));
  values.forEach((column, metricAt) => {
    const counts = countUp(population, (row) => !Number.isNaN(column[row]));
    for (const scope of SCOPES) {
      areas[scope].forEach((area, areaAt) => {
        known[scope][areaAt * METRICS.length + metricAt] = countIn(counts, area);
      });
    }
  });
  return { inhabited, known };
}

type Rows = Pick<Area, 'firstRow' | 'tractCount'>;

function areasOf({ description, values }: Distributed): Record<Scope, readonly Rows[]> {
  const { counties, states } = description;
  return { county: counties, state: states, national: [{ firstRow: 0, tractCount: values[0]?.length ?? 0 }] };
}

const byScope = <T>(of: (scope: Scope) => T): Record<Scope, T> => ({
  county: of('county'),
  state: of('state'),
  national: of('national'),
});

/** Prefix sums: for each row, how many rows before it have residents, as far as is known, and are to be counted. */
function countUp(population: Float64Array, counts: (row: number) => boolean): Uint32Array {
  const sums = new Uint32Array(population.length + 1);
  let count = 0;
  for (let row = 0; row < population.length; row++) {
    if (population[row] !== 0 && counts(row)) count++;
    sums[row + 1] = count;
  }
  return sums;
}

function countIn(sums: Uint32Array, { firstRow, tractCount }: Rows): number {
  return (sums[firstRow + tractCount] ?? 0) - (sums[firstRow] ?? 0);
}
