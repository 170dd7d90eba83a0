import { InputError } from '../../input.js';
import { cellAt } from '../columns.js';
import { parseDecimal } from '../number-cell.js';
import type { AcsHeader, LocatedValue } from './columns.js';

/** Finds what no single row can tell: that columns were swapped, or that values are in another unit. */
export interface Plausibility {
  /** Takes a row's values, which are in the order of the located ones, and the cells that they come from. */
  add(values: readonly number[], cells: readonly string[]): void;
  /** Throws `InputError` naming the table (`file (product)`) and the metric if more than half of the rows show such a fault. */
  finish(table: string): void;
}

/** Most tracts of any county are far above these. */
const FAR_BELOW: Readonly<Record<string, number>> = {
  total_population: 100,
  median_household_income: 1000,
  median_age: 10,
};

/** Fewer rows prove nothing. */
const FEW_ROWS = 20;

/** In most rows, single estimates and wholes are greater than their margins, which are published as amounts, too. */
export function createPlausibility(located: readonly LocatedValue[], header: AcsHeader): Plausibility {
  const marginOf = new Map([...header.columns].map(([code, column]) => [column, header.margins.get(code)]));
  const counts = located.map(({ metric, whole, parts }) => {
    const column = whole ?? (parts.length === 1 ? parts[0] : undefined);
    const margin = column === undefined ? undefined : marginOf.get(column);
    const least = FAR_BELOW[metric] ?? Number.NEGATIVE_INFINITY;
    return { metric, column, margin, least, known: 0, below: 0, compared: 0, smaller: 0 };
  });
  return {
    add: (values, cells) => {
      counts.forEach((count, at) => {
        const value = values[at] ?? Number.NaN;
        if (!Number.isNaN(value)) count.known++;
        if (value < count.least) count.below++;
        const [estimate, margin] = [count.column, count.margin].map((column) => amount(cellAt(cells, column)));
        // Instead of a margin there may be a code, which is negative.
        if (!(estimate !== undefined && estimate > 0 && margin !== undefined && margin >= 0)) return;
        count.compared++;
        if (estimate < margin) count.smaller++;
      });
    },
    finish: (table) => {
      for (const { metric, least, known, below, compared, smaller } of counts) {
        const refuse = (what: string): InputError => new InputError(`${table}: ${what}`);
        if (isMost(smaller, compared)) {
          const what = `the estimate for ${metric} is below its margin of error in ${smaller} of ${compared} rows`;
          throw refuse(`${what}: their columns are swapped; download it again`);
        }
        if (isMost(below, known)) {
          const what = `${metric} is below ${least} in ${below} of ${known} rows`;
          throw refuse(`${what}: it is in another unit, or has periods between thousands; download it again`);
        }
      }
    },
  };
}

const amount = (text: string): number | undefined => parseDecimal(text.replace(/[,±]/g, ''));

const isMost = (part: number, whole: number): boolean => whole >= FEW_ROWS && part * 2 > whole;
