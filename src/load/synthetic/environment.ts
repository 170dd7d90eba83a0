import type { Profile } from './profile.js';
import { createRandom } from './random.js';
import { decimals, logistic } from './scales.js';

/** EPA models neither fine particles nor ozone in Alaska and Hawaii, and has no discharge data for Alaska. */
const WITHOUT_AIR = new Set(['02', '15']);
const WITHOUT_DISCHARGE = new Set(['02']);

/**
 * EJScreen's indicators in the order of the metrics table, in the units of EJScreen 2023: µg/m³; ppb; µg/m³; cases per
 * million lifetimes, rounded to tens; index, rounded to tenths; vehicles per day divided by distance in metres; percent of
 * housing built before 1960; sites divided by distance in kilometres (three indicators); toxicity-weighted concentration
 * divided by distance. NaN is missing.
 */
export function environmentOf(profile: Profile): number[] {
  const { stateFips, urbanity, deprivation } = profile;
  const random = createRandom(0, profile.noise, 'environment');
  const skewed = (median: number, urban: number, spread: number): number =>
    median * Math.exp(urban * (urbanity - 0.5) + 0.12 * deprivation + spread * random.normal());
  const air = !WITHOUT_AIR.has(stateFips);
  return [
    air ? decimals(clamp(7 + 2.6 * urbanity + 0.25 * deprivation + 1.1 * random.normal(), 3, 15), 2) : Number.NaN,
    air ? decimals(clamp(57 + 4 * urbanity + 5 * random.normal(), 40, 85), 2) : Number.NaN,
    decimals(clamp(skewed(0.18, 2.2, 0.45), 0.005, 3), 3),
    10 * Math.round(clamp(skewed(24, 0.5, 0.22), 5, 150) / 10),
    decimals(clamp(skewed(0.28, 0.6, 0.22), 0.05, 2), 1),
    decimals(clamp(skewed(60, 4, 0.9), 0.001, 5000), 2),
    decimals(100 * logistic(-1.4 + 0.8 * urbanity + 0.3 * deprivation + 1.1 * random.normal()), 2),
    decimals(clamp(skewed(0.06, 1.2, 0.8), 0.001, 5), 3),
    decimals(clamp(skewed(0.22, 1.6, 0.8), 0.003, 10), 3),
    decimals(clamp(skewed(0.5, 3, 1), 0.003, 60), 3),
    WITHOUT_DISCHARGE.has(stateFips) ? Number.NaN : decimals(clamp(skewed(0.002, 1, 3), 0, 1000), 5),
  ];
}

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));
