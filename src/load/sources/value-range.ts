import { METRICS, type Metric, metricsOf } from '../../core/metrics.js';
import type { ColumnTally } from '../intake/tally.js';

/** The values that a metric can possibly have, both ends included. */
export interface ValueRange {
  readonly min: number;
  readonly max: number;
}

const PERCENT: ValueRange = { min: 0, max: 100 };
const NOT_NEGATIVE: ValueRange = { min: 0, max: Number.POSITIVE_INFINITY };
const ANY: ValueRange = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };

/** Up to forty times the most populous tract. */
const POPULATION: ValueRange = { min: 0, max: 1_000_000 };
/** ACS also publishes true negative amounts. Forty times its top code means that a decimal point has been lost. */
const MEDIAN_INCOME: ValueRange = { min: -10_000_000, max: 10_000_000 };

/** What programs write for a missing value: possible as an amount, but no tract's true one. */
const MISSING_AMOUNTS: ReadonlySet<number> = new Set([-999, -9999, -99_999, -999_999]);

/** The ranges of metrics that differ from their section's. */
const BY_PATH: Readonly<Record<string, ValueRange>> = {
  total_population: POPULATION,
  median_household_income: MEDIAN_INCOME,
  poverty_rate: PERCENT,
  uninsured_rate: PERCENT,
  unemployment_rate: PERCENT,
  median_age: { min: 0, max: 120 },
  'epa_data.lead_paint_pct': PERCENT,
};

const BY_SECTION: Readonly<Record<Metric['section'], ValueRange>> = {
  demographics: NOT_NEGATIVE,
  svi_themes: { min: 0, max: 1 },
  places_measures: PERCENT,
  epa_data: NOT_NEGATIVE,
  sdoh_index: { min: 0, max: 1 },
};

const OUT_OF_RANGE = 'value out of range';

const RANGES = new Map(METRICS.map((metric) => [metric.path, BY_PATH[metric.path] ?? BY_SECTION[metric.section]]));

/**
 * The value, or NaN if the metric with this path cannot have it; its column's account then counts `text`, from which it was
 * read, as unreadable. NaN stays NaN.
 */
export function checkRange(path: string, value: number, column: ColumnTally, text: string): number {
  const range = RANGES.get(path) ?? ANY;
  if (Number.isNaN(value)) return value;
  if (value >= range.min && value <= range.max && !MISSING_AMOUNTS.has(value)) {
    column.greatest = Math.max(column.greatest, value);
    return value;
  }
  column.misread(OUT_OF_RANGE, text);
  return Number.NaN;
}

/**
 * Like `checkRange`, for a count that a rate is made of: NaN if it is below 0, as are the codes for missing that programs
 * write. Two of them would make a rate of 100%.
 */
export function checkCount(value: number, column: ColumnTally, text: string): number {
  if (!(value < 0)) return value;
  column.misread(OUT_OF_RANGE, text);
  return Number.NaN;
}

/** The paths of a section's metrics in contract order, which are the columns of a one-table product's layers. */
export const pathsOf = (section: Metric['section']): readonly string[] => metricsOf(section).map(({ path }) => path);
