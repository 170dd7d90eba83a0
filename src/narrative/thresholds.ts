/**
 * What the rule-based summary takes for worth telling. A figure stands out when its percentile rank is in the highest or
 * the lowest fifth.
 */
export const THRESHOLDS = {
  /** Percentile rank, percent, from which a figure is high. */
  highPercentile: 80,
  /** Percentile rank, percent, up to which a figure is low. */
  lowPercentile: 20,
  /** A county or state with fewer tracts is no group to be ranked in. */
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
