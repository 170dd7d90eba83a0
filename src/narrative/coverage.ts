import { METRICS } from '../core/metrics.js';
import type { Scope } from '../core/scopes.js';
import type { Distributions } from '../format/distributions.js';
import { THRESHOLDS } from './thresholds.js';

/** Whether a text may speak of an area's tracts in general when it compares this metric: nearly all of them have the value. */
export function covers({ known, inhabited }: Distributions, scope: Scope, areaAt: number, metricAt: number): boolean {
  const count = known[scope][areaAt * METRICS.length + metricAt] ?? Number.NaN;
  return count >= THRESHOLDS.coveredShare * (inhabited[scope][areaAt] ?? Number.NaN);
}
