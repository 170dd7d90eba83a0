/** Powers of ten by their exponent. */
const SCALES = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];
/** Below this, a number times its scale is off by at most a hundredth of {@link DOUBTFUL}. */
const SCALED_MAX = 1e8;
/** This close to the midpoint between two decimals, the number's decimal form decides. */
const DOUBTFUL = 1e-6;

/**
 * Rounds to a number of decimals, half away from zero, by the number's shortest decimal form (1.005 → 1.01). Exact for
 * numbers of at most 15 significant digits.
 */
export function roundTo(value: number, decimals: number): number {
  const scale = SCALES[decimals] ?? Number.NaN;
  const scaled = Math.abs(value) * scale;
  const whole = Math.round(scaled);
  const isClear = scaled < SCALED_MAX && Math.abs(Math.abs(scaled - whole) - 0.5) > DOUBTFUL;
  // Dividing two whole numbers gives the double nearest to their quotient, as parsing it as a decimal would.
  const rounded = isClear ? whole / scale : roundText(Math.abs(value), decimals);
  return value < 0 ? -rounded : rounded;
}

/** The same for a number of at least 0, by its decimal form: ten times as slow. */
function roundText(value: number, decimals: number): number {
  const text = value.toString();
  if (text.includes('e')) return Number(value.toFixed(decimals));
  return Number(`${Math.round(Number(`${text}e${decimals}`))}e-${decimals}`);
}
