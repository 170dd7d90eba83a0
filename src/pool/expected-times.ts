import type { LatLngBox } from '../core/coordinates.js';
import { obtain } from '../core/obtain.js';
import type { Task } from './protocol.js';

/** Estimates how long a task will take, from how long recent tasks of its kind and size took. */
export interface ExpectedTimes {
  /** About how many milliseconds a task will take. */
  expectMs(task: Task): number;
  /** Records how long a task took. */
  tookMs(task: Task, milliseconds: number): void;
}

/** The estimate before any task of the same kind has been answered. */
const FIRST_GUESS_MS = 0.03;
/**
 * The same for lists of addresses, of which 50 take 1 to 4 ms. With the usual guess, the first lists of a process would go to
 * a thread by seventeens, and if each took a third of a second, as lists of long nonsense do, end it.
 */
const FIRST_GUESS_ADDRESSES_MS = 2;
/**
 * The same for outlines, whose answers have megabytes: about 0.03 ms for those around a point, 20 to 50 for those of a
 * metropolis. With the usual guess, hundreds of such requests right after the start would be accepted, and all others would
 * wait for seconds.
 */
const OUTLINES_GROWTH = 2.5;
/** The weight of the newest task in the moving average. */
const WEIGHT = 0.05;
/**
 * A time is capped at this multiple of the average: when the machine stalls for 100 ms, one small search takes a thousand
 * times as long, and uncapped it would make the pool refuse all others. Tasks of one size do not vary that much; and if they
 * have really become a thousand times slower, ten of them are enough to show it.
 */
const AT_MOST_TIMES = 32;

export function createExpectedTimes(): ExpectedTimes {
  /** The moving averages, by kind, then by size. */
  const means = new Map<Task['kind'], number[]>();
  /** A size that has not been seen yet is estimated from the next smaller size that has. */
  const meanOf = (kind: Task['kind'], size: number): number => {
    const known = means.get(kind);
    for (let at = size; at >= 0; at--) {
      const mean = known?.[at];
      if (mean !== undefined) return mean * growthOf(kind) ** (size - at);
    }
    return (kind === 'geocode' ? FIRST_GUESS_ADDRESSES_MS : FIRST_GUESS_MS) * growthOf(kind) ** size;
  };
  return {
    expectMs: (task) => meanOf(task.kind, sizeOf(task)),
    tookMs: (task, milliseconds) => {
      const known = obtain(means, task.kind, () => []);
      const size = sizeOf(task);
      const mean = meanOf(task.kind, size);
      known[size] = mean + (Math.min(milliseconds, mean * AT_MOST_TIMES) - mean) * WEIGHT;
    },
  };
}

/** How many times longer a task that nothing is known of is expected to take than one of the next smaller size class. */
function growthOf(kind: Task['kind']): number {
  return kind === 'tract-features' ? OUTLINES_GROWTH : 1;
}

const STATE_SQUARE_MILES = 100_000;
const SQUARE_MILES_PER_DEGREES = 3600;

/**
 * The size class of a task among those of its kind, from 0; each class is eight times as large as the one before. (The
 * outlines of a state take a thousand times as long as those around a point.) The size is the area that the task covers
 * times the most results that it may return. That is inaccurate where land is empty, but clients tend to repeat requests of
 * the same size.
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

/** The area of a rectangle as if it lay on the equator, which is accurate enough to tell a town from a state. */
function squareMiles({ west, south, east, north }: LatLngBox): number {
  const degrees = west <= east ? east - west : east + 360 - west;
  return degrees * (north - south) * SQUARE_MILES_PER_DEGREES;
}
