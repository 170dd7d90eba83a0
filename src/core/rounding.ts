/** Powers of ten that are worth knowing, by their exponent. */
const SCALES = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];
/** Below this, a number times its scale is within a hundredth of {@link DOUBTFUL} of what it should be. */
const SCALED_MAX = 1e8;
/** So close to the middle between two decimals, the number's decimal form decides. */
const DOUBTFUL = 1e-6;

/**
 * Rounds half away from zero at a decimal place, by the number's shortest decimal form (1.005 → 1.01). Exact for
 * numbers of 15 figures at most.
 */
export function roundTo(value: number, decimals: number): number {
  const scale = SCALES[decimals] ?? Number.NaN;
  const scaled = Math.abs(value) * scale;
  const whole = Math.round(scaled);
  const isClear = scaled < SCALED_MAX && Math.abs(Math.abs(scaled - whole) - 0.5) > DOUBTFUL;
  // The quotient of two whole numbers is the double that is nearest to it, as a decimal's text is.
  const rounded = isClear ? whole / scale : roundText(Math.abs(value), decimals);
  return value < 0 ? -rounded : rounded;
}

/** The same of a number of at least 0, ten times as slow. */
function roundText(value: number, decimals: number): number {
  const text = value.toString();
  if (text.includes('e')) return Number(value.toFixed(decimals));
  return Number(`${Math.round(Number(`${text}e${decimals}`))}e-${decimals}`);
}
