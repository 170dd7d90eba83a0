import type { Profile } from './profile.js';
import { createRandom } from './random.js';
import { decimals, logistic } from './scales.js';

/** The vintages of ACS 5-year data, each named by the last of its five years. */
export const ACS_YEARS: readonly number[] = Array.from({ length: 10 }, (_, index) => 2014 + index);
const LATEST_YEAR = 2023;

/** One in a hundred tracts has too few survey responses for a median income. */
const INCOME_SUPPRESSED_SHARE = 0.01;

/** The Census Bureau's codes for median incomes below and above the published scale. */
const INCOME_BOTTOM_CODE = 2499;
const INCOME_TOP_CODE = 250_001;

/** The demographics of one tract and year, in the order of the metrics table; NaN is missing. */
export type Demographics = readonly [
  population: number,
  medianHouseholdIncome: number,
  povertyRate: number,
  uninsuredRate: number,
  unemploymentRate: number,
  medianAge: number,
];

const UNINHABITED: Demographics = [0, Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN];

/**
 * A tract's demographics by year: people, nominal dollars, percentages, years. They follow the national trend since 2014
 * (income up; poverty, uninsured and unemployment rates down; age slowly up), each tract with its own slope. As in the
 * sources, people and dollars are whole numbers, rates have two decimals, ages one.
 */
export function createDemographics(profile: Profile): (year: number) => Demographics {
  if (profile.residents === 0) return () => UNINHABITED;
  const { residents, deprivation, urbanity, ageing, coverageGap, growth, prosperity } = profile;
  const random = createRandom(0, profile.noise, 'demographics');
  const [incomeNoise, povertyNoise, coverageNoise, workNoise] = [
    random.normal(),
    random.normal(),
    random.normal(),
    random.normal(),
  ];
  const suppressed = random.next() < INCOME_SUPPRESSED_SHARE;
  return (year) => {
    const before = LATEST_YEAR - year;
    const income = 74_000 * Math.exp(0.18 * urbanity - 0.38 * deprivation + 0.14 * incomeNoise);
    const nominal = Math.round(income * Math.exp(-before * (0.042 + 0.006 * prosperity)));
    const poverty = logistic(-2.2 + 0.7 * deprivation + 0.25 * povertyNoise + before * (0.026 + 0.01 * prosperity));
    const uninsured = logistic(-2.65 + 0.42 * deprivation + 0.3 * coverageGap + 0.25 * coverageNoise + before * 0.055);
    const unemployed = logistic(-3 + 0.38 * deprivation + 0.28 * workNoise + before * (0.055 + 0.01 * prosperity));
    const age = 42 - 5 * urbanity - 1.4 * deprivation + 4.5 * ageing - before * (0.13 - 0.03 * growth);
    return [
      Math.max(1, Math.round(residents * Math.exp(-before * (0.005 + 0.008 * growth)))),
      suppressed ? Number.NaN : Math.max(INCOME_BOTTOM_CODE, Math.min(INCOME_TOP_CODE, nominal)),
      decimals(100 * poverty, 2),
      decimals(100 * uninsured, 2),
      decimals(100 * unemployed, 2),
      decimals(Math.max(19, Math.min(75, age)), 1),
    ];
  };
}
