/**
 * What the rule-based summary considers worth mentioning. A figure stands out if its percentile rank is in the highest or
 * lowest fifth.
 */
export const THRESHOLDS = {
  /** Percentile rank from which a figure is high, in percent. */
  highPercentile: 80,
  /** Percentile rank up to which a figure is low, in percent. */
  lowPercentile: 20,
  /**
   * A text speaks of the tracts of a county, state or nation only if at least this share of the inhabited ones have the
   * value. A rank among those with a value is then at most 5 points from the rank among all, whatever the missing values
   * are. What agencies do not publish is mostly less than this allows (medians of few households; fine particles and ozone
   * in Alaska and Hawaii: about 1% each). Most measures of Kentucky and Pennsylvania in PLACES 2025 (6%), and a large state
   * that is not loaded, are more.
   */
  coveredShare: 0.95,
  /** The least number of tracts, in a county or state or with a value at all, that a tract is ranked among. */
  minTractsToCompare: 10,
  /** With fewer residents, survey figures are called uncertain. */
  smallPopulation: 500,
  /** The most items of each kind that are mentioned; the rest are left to the record. */
  maxSocial: 3,
  maxHealth: 3,
  maxEnvironment: 2,
  maxFavorable: 3,
  maxScreeningTopics: 5,
  maxMissingNamed: 5,
} as const;
