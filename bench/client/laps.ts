import type { Ask } from './job.js';

const DIGITS = 3;
const LAPS = 10 ** DIGITS;

/**
 * The path of an ask with a number whose last digits change with each lap: `before`, then the number (`decimals`), then
 * `after`.
 */
export function varyingPath(
  before: string,
  decimals: string,
  after: string,
): Required<Pick<Ask, 'path' | 'lapDigitsAt'>> {
  return { path: `${before}${decimals}${after}`, lapDigitsAt: before.length + decimals.length - DIGITS };
}

/** The path to request in a lap: the ask's own in the first lap, and a different one in each of a thousand laps. */
export function pathInLap(ask: Pick<Ask, 'path' | 'lapDigitsAt'>, lap: number): string {
  const { path, lapDigitsAt } = ask;
  if (lapDigitsAt === undefined) return path;
  return `${path.slice(0, lapDigitsAt)}${digitsInLap(ask, lap)}${path.slice(lapDigitsAt + DIGITS)}`;
}

/** The ask at a position counted over all laps, with the path of its lap. */
export function askAt(asks: readonly Ask[], position: number): Ask {
  const ask = asks[position % asks.length];
  if (!ask) throw new RangeError('there is nothing to ask');
  return { ...ask, path: pathInLap(ask, Math.floor(position / asks.length)) };
}

/** Only the digits of a lap, to be written at `lapDigitsAt`; empty if all laps are the same. */
export function digitsInLap({ path, lapDigitsAt }: Pick<Ask, 'path' | 'lapDigitsAt'>, lap: number): string {
  if (lapDigitsAt === undefined) return '';
  const own = Number(path.slice(lapDigitsAt, lapDigitsAt + DIGITS));
  return String((own + lap) % LAPS).padStart(DIGITS, '0');
}
