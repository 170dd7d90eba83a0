import type { Profile } from './profile.js';
import { createRandom } from './random.js';
import { decimals, logistic } from './scales.js';

/** PLACES publishes no estimates for tracts with fewer residents. */
const MIN_RESIDENTS = 50;

/** How a measure varies: its national median (percent), and the effects of the traits and of noise, in log odds. */
interface Measure {
  readonly key: string;
  readonly medianPct: number;
  readonly deprivation: number;
  readonly ageing: number;
  readonly noise: number;
}

const measure = (key: string, medianPct: number, deprivation: number, ageing: number, noise: number): Measure => ({
  key,
  medianPct,
  deprivation,
  ageing,
  noise,
});

/** In the order of the metrics table. Preventive care and binge drinking fall with deprivation, the rest rise. */
const MEASURES: readonly Measure[] = [
  measure('diabetes', 11.5, 0.3, 0.16, 0.08),
  measure('obesity', 33.5, 0.2, 0.02, 0.12),
  measure('mhlth', 16, 0.17, -0.1, 0.07),
  measure('phlth', 12, 0.26, 0.08, 0.07),
  measure('bphigh', 32.5, 0.18, 0.2, 0.07),
  measure('casthma', 10.3, 0.11, -0.04, 0.06),
  measure('chd', 6.4, 0.2, 0.25, 0.07),
  measure('csmoking', 14, 0.36, -0.02, 0.12),
  measure('access2', 9.5, 0.42, -0.12, 0.15),
  measure('checkup', 75.5, -0.03, 0.12, 0.09),
  measure('dental', 63, -0.38, 0.03, 0.08),
  measure('sleep', 34, 0.16, -0.05, 0.08),
  measure('lpa', 23.5, 0.36, 0.06, 0.09),
  measure('binge', 17.3, -0.12, -0.16, 0.08),
];

/** A tract's PLACES measures: crude prevalence in percent, one decimal. Undefined for tracts with hardly any residents. */
export function healthOf(profile: Profile): number[] | undefined {
  if (profile.residents < MIN_RESIDENTS) return undefined;
  const random = createRandom(0, profile.noise, 'health');
  return MEASURES.map(({ medianPct, deprivation, ageing, noise }) => {
    const odds = Math.log(medianPct / (100 - medianPct));
    const shift = deprivation * profile.deprivation + ageing * profile.ageing + noise * random.normal();
    return decimals(100 * logistic(odds + shift), 1);
  });
}

export const HEALTH_KEYS: readonly string[] = MEASURES.map(({ key }) => key);
