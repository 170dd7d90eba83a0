import type { Scope } from '../core/scopes.js';
import type { TractFacts } from './facts.js';
import type { Figure } from './figures.js';
import { THRESHOLDS } from './thresholds.js';
import { type MetricWording, wordingOf } from './wording.js';

/** A figure that is high or low compared with the tracts it is ranked among. */
export interface Finding {
  readonly figure: Figure;
  readonly wording: MetricWording;
  /** The tracts it stands out among. */
  readonly scope: Scope;
  /** Percentage of those tracts that are strictly below. */
  readonly percentile: number;
  readonly side: 'high' | 'low';
  readonly favorable: boolean;
}

/** What stands out in the nation (for SVI ranks computed within a state, in the state), the most extreme first. */
export function widerFindings({ figures }: TractFacts): Finding[] {
  return mostExtremeFirst(figures.flatMap((figure) => findingOf(figure, widerScope(figure))));
}

/** The largest group of tracts that the figure may be ranked among: the nation's, or else its state's. */
export function widerScope({ percentiles }: Figure): 'national' | 'state' {
  return percentiles.national === null ? 'state' : 'national';
}

/** The areas smaller than the nation that a tract is compared with. */
const LOCAL_SCOPES = ['county', 'state'] as const;

/** Which of the {@link localFigures} stand out in the county or state, the most extreme first. */
export function localFindings(facts: TractFacts): Finding[] {
  const findings = localFigures(facts).flatMap((figure) => LOCAL_SCOPES.flatMap((scope) => findingOf(figure, scope)));
  return mostExtremeFirst(findings);
}

/** Known figures that have a unit, a direction, and an average of the county or state to be compared to. */
export function localFigures({ figures }: TractFacts): Figure[] {
  return figures.filter(({ metric, value, averages }) => {
    const { unit, unfavorable } = wordingOf(metric);
    const hasAverage = LOCAL_SCOPES.some((scope) => averages[scope] !== null);
    return value !== null && unit !== undefined && unfavorable !== 'neither' && hasAverage;
  });
}

function findingOf(figure: Figure, scope: Scope): Finding[] {
  const wording = wordingOf(figure.metric);
  const percentile = figure.percentiles[scope];
  if (figure.value === null || percentile === null || wording.unfavorable === 'neither') return [];
  const { highPercentile, lowPercentile } = THRESHOLDS;
  if (percentile > lowPercentile && percentile < highPercentile) return [];
  const side = percentile >= highPercentile ? 'high' : 'low';
  return [{ figure, wording, scope, percentile, side, favorable: side !== wording.unfavorable }];
}

/** A stable sort: equally extreme findings stay in the order of the metrics table. */
function mostExtremeFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => Math.abs(b.percentile - 50) - Math.abs(a.percentile - 50));
}
