/** Maps any number to a share between 0 and 1. */
export const logistic = (value: number): number => 1 / (1 + Math.exp(-value));

/** Rounds to a number of decimals; for synthetic numbers it does not matter how halves are rounded. */
export function decimals(value: number, places: number): number {
  const factor = 10 ** places;
  return Math.round(value * factor) / factor;
}

/**
 * The share of a standard normal distribution below a value, to four decimals.
 * Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.17.
 */
export function normalShareBelow(value: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(value));
  const tail =
    (Math.exp((-value * value) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return value < 0 ? tail : 1 - tail;
}
