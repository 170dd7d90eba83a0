/**
 * What the rule-based summary takes for worth telling. A figure stands out when its percentile rank is in the highest or
 * the lowest fifth.
 */
export const THRESHOLDS = {
  /** Percentile rank, percent, from which a figure is high. */
  highPercentile: 80,
  /** Percentile rank, percent, up to which a figure is low. */
  lowPercentile: 20,
  /**
   * A text speaks of the tracts of a county, a state or the nation only where this share of them have the value, residents
   * being what a tract needs to count here. A rank among those that have it is then at most 5 points from the rank among
   * all, whatever the missing values are; what agencies leave out is less (medians of few households, and of Alaska and
   * Hawaii fine particles and ozone: about 1% each), a large state that is not loaded is more.
   */
  coveredShare: 0.95,
  /** Fewer tracts, of a county or state or with a value at all, are no group to be ranked in. */
  minTractsToCompare: 10,
  /** Below this many residents, survey figures are called uncertain. */
  smallPopulation: 500,
  /** The most figures that are told of each kind; the rest are left to the record. */
  maxSocial: 3,
  maxHealth: 3,
  maxEnvironment: 2,
  maxFavorable: 3,
  maxScreeningTopics: 5,
  maxMissingNamed: 5,
} as const;
