import { countyKey, type Geoid } from '../../../core/geoid.js';
import { obtain } from '../../../core/obtain.js';
import { InputError } from '../../input.js';
import { describeExample, type Example } from '../../intake/example.js';

/** Finds IDs that have slipped by a row or were sorted alone: the rows of one county then name several. */
export interface CountyCheck {
  /** Takes a row's tract, its county's name (empty if the row has none), and the row's number in the file. */
  add(geoid: Geoid, name: string, row: number): void;
  /** Throws `InputError` naming the table (`file (product)`) and the first such row if this is so of too many counties. */
  finish(table: string): void;
}

/** Of the counties. In the agency's files, none has two names. */
const MAX_SHARE = 0.05;
/** Fewer counties than this are too many only if they are most of them: a single row may be wrong. */
const FEW_COUNTIES = 5;

/** `column` is the name of the column with the county's name. */
export function createCountyCheck(column: string): CountyCheck {
  const nameOf = new Map<string, string>();
  const withSeveral = new Set<string>();
  let first: Example = {};
  return {
    add: (geoid, name, row) => {
      const county = countyKey(geoid);
      if (name === '' || obtain(nameOf, county, () => name) === name) return;
      if (withSeveral.size === 0) first = { row, geoid, column, value: name };
      withSeveral.add(county);
    },
    finish: (table) => {
      const [several, all] = [withSeveral.size, nameOf.size];
      const isTooMany = several >= FEW_COUNTIES ? several > all * MAX_SHARE : several > 1 && several * 2 > all;
      if (!isTooMany) return;
      const what = `the rows of ${several} of ${all} counties name several counties, the first: ${describeExample(first)}`;
      throw new InputError(`${table}: ${what}; the IDs have slipped or were sorted alone: download it again`);
    },
  };
}
