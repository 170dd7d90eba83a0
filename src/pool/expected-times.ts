import type { Task } from './protocol.js';

/** How long tasks will take, by what tasks of their kind and size have lately taken. */
export interface ExpectedTimes {
  /** What a task will take, about, milliseconds. */
  expectMs(task: Task): number;
  /** A task took so long. */
  tookMs(task: Task, milliseconds: number): void;
}

/** Before anything like it was answered. */
const FIRST_GUESS_MS = 0.03;
/** How much the newest task says of those like it. */
const WEIGHT = 0.05;
/**
 * Nor does it count for more than so many of them: a machine that stands still for 100 ms makes one small search a thousand
 * times as long, and all others would be refused for it. Tasks of one size are not so far apart; and where they have really
 * become a thousand times as long, ten of them say so.
 */
const AT_MOST_TIMES = 32;

export function createExpectedTimes(): ExpectedTimes {
  /** By kind, then by size. */
  const means = new Map<Task['kind'], number[]>();
  /** A size that was not seen yet takes the mean of the next smaller one. */
  const meanOf = (known: readonly number[] | undefined, size: number): number => {
    for (let at = size; at >= 0; at--) {
      const mean = known?.[at];
      if (mean !== undefined) return mean;
    }
    return FIRST_GUESS_MS;
  };
  return {
    expectMs: (task) => meanOf(means.get(task.kind), sizeOf(task)),
    tookMs: (task, milliseconds) => {
      const known = means.get(task.kind) ?? [];
      means.set(task.kind, known);
      const size = sizeOf(task);
      const mean = meanOf(known, size);
      known[size] = mean + (Math.min(milliseconds, mean * AT_MOST_TIMES) - mean) * WEIGHT;
    },
  };
}

const STATE_SQUARE_MILES = 100_000;
const SQUARE_MILES_PER_DEGREES = 3600;

/**
 * How large a task is among those of its kind, in steps of eight times from 0: outlines of a state take a thousand times as
 * long as those around a point. By the land that it covers and by how many of what lies there it may give, which is rough
 * where land is empty; but whoever asks for much does so again, and whoever asks for little, too.
 */
export function sizeOf(task: Task): number {
  return Math.max(0, Math.floor(Math.log2(extentOf(task)) / 3));
}

function extentOf(task: Task): number {
  switch (task.kind) {
    case 'rankings':
    case 'trends':
      return 1;
    case 'geocode':
      return task.addresses.length;
    case 'providers-in-tract':
      return task.query.limit;
    case 'nearby':
    case 'providers-near':
      return task.query.radiusMiles ** 2 * task.query.limit;
    case 'providers-in-box':
      return squareMiles(task.query) * task.query.limit;
    case 'tract-features': {
      const { selection, limit } = task.query;
      return limit * ('stateFips' in selection ? STATE_SQUARE_MILES : selection.radiusMiles ** 2);
    }
  }
}

/** Of a rectangle at the equator, which is enough to tell a town from a state. */
function squareMiles({ west, south, east, north }: Extract<Task, { kind: 'providers-in-box' }>['query']): number {
  const degrees = west <= east ? east - west : east + 360 - west;
  return degrees * (north - south) * SQUARE_MILES_PER_DEGREES;
}
