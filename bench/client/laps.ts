import type { Ask } from './job.js';

const DIGITS = 3;
const LAPS = 10 ** DIGITS;

/**
 * An ask whose path ends a number with digits that each lap changes: `before`, the number with its decimals, and
 * `after`.
 */
export function varyingPath(
  before: string,
  decimals: string,
  after: string,
): Required<Pick<Ask, 'path' | 'lapDigitsAt'>> {
  return { path: `${before}${decimals}${after}`, lapDigitsAt: before.length + decimals.length - DIGITS };
}

/** The path that is asked for in a lap. In the first it is the ask's own; a thousand laps are all different. */
export function pathInLap(ask: Pick<Ask, 'path' | 'lapDigitsAt'>, lap: number): string {
  const { path, lapDigitsAt } = ask;
  if (lapDigitsAt === undefined) return path;
  return `${path.slice(0, lapDigitsAt)}${digitsInLap(ask, lap)}${path.slice(lapDigitsAt + DIGITS)}`;
}

/** The ask at a position that is counted over all laps, as it is asked for in its lap. */
export function askAt(asks: readonly Ask[], position: number): Ask {
  const ask = asks[position % asks.length];
  if (!ask) throw new RangeError('there is nothing to ask');
  return { ...ask, path: pathInLap(ask, Math.floor(position / asks.length)) };
}

/** The digits alone, to be written at their place; none where each lap asks the same. */
export function digitsInLap({ path, lapDigitsAt }: Pick<Ask, 'path' | 'lapDigitsAt'>, lap: number): string {
  if (lapDigitsAt === undefined) return '';
  const own = Number(path.slice(lapDigitsAt, lapDigitsAt + DIGITS));
  return String((own + lap) % LAPS).padStart(DIGITS, '0');
}
