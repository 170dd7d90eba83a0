import { generationPath } from '../../catalog/directory/generations.js';
import { groupBy } from '../../core/group-by.js';
import { messageOf } from '../../core/message-of.js';
import { METRICS, metricsOf } from '../../core/metrics.js';
import { sum } from '../../core/sum.js';
import { type Dataset, withDatasets } from '../../format/dataset.js';
import { type CoverageLoss, findLosses, measureCoverage, SMALL_LOSS_SHARE } from './coverage.js';

/** Of more parts, only the states are told: the counts of all would not fit into one line. */
const MOST_TOLD = 4;

/**
 * Describes in one line what a generation has notably less of than the one it replaced: states that are gone, losses in the
 * states that both have, or measured data altogether if it is synthetic. Empty if there is nothing, if none was replaced, or
 * if it replaced a synthetic one. Never throws, because the new generation is live.
 */
export function describeReplaced(
  datasetsDir: string,
  { generation, replaced }: { readonly generation: string; readonly replaced: string | undefined },
): string[] {
  if (replaced === undefined) return [];
  try {
    const [before, after] = [generationPath(datasetsDir, replaced), generationPath(datasetsDir, generation)];
    return withDatasets(before, after, (old, now) => {
      const [wasSynthetic, isSynthetic] = [isSyntheticData(old), isSyntheticData(now)];
      if (isSynthetic && !wasSynthetic) return [`Synthetic data replaced the measured data of ${replaced}`];
      const lost = wasSynthetic === isSynthetic ? describeLosses(old, now) : [];
      return lost.length > 0 ? [`Coverage lost compared with ${replaced}: ${lost.join('; ')}`] : [];
    });
  } catch (error) {
    const why = messageOf(error);
    return [`The previous generation ${replaced} cannot be read, so the new dataset is not compared with it: ${why}`];
  }
}

const isSyntheticData = ({ tracts }: Dataset): boolean => tracts.description.synthetic;

const statesOf = ({ tracts }: Dataset): string[] => tracts.description.states.map(({ fips }) => fips);

function describeLosses(before: Dataset, after: Dataset): string[] {
  const states = new Set(statesOf(after));
  const gone = statesOf(before).filter((fips) => !states.has(fips));
  const losses = findLosses(measureCoverage(before), measureCoverage(after)).filter(
    ({ area, lostShare }) => states.has(area) && lostShare > SMALL_LOSS_SHARE,
  );
  return [...(gone.length > 0 ? [`states gone: ${listed(gone)}`] : []), ...describeParts(losses)];
}

const SECTION_OF = new Map(METRICS.map(({ path, section }) => [path, section]));

/** `places_measures in 10, 11: 468 → 12 tracts; outlines in 10: 262 → 0`; counts a section's metric of the greatest loss. */
function describeParts(losses: readonly CoverageLoss[]): string[] {
  const byPart = groupBy(losses, ({ area, what }) => `${area} ${SECTION_OF.get(what) ?? what}`);
  const byLabel = groupBy(
    [...byPart.values()].flatMap(([greatest, ...others]) =>
      greatest ? [{ ...greatest, label: labelOf(greatest.what, 1 + others.length) }] : [],
    ),
    ({ label }) => label,
  );
  const parts = [...byLabel];
  const told = parts.slice(0, MOST_TOLD).map(([label, of]) => {
    const counts = `${sum(of.map(({ before }) => before))} → ${sum(of.map(({ after }) => after))}`;
    const unit = of.some(({ what }) => SECTION_OF.has(what)) ? ' tracts' : '';
    return `${label} in ${listed(of.map(({ area }) => area))}: ${counts}${unit}`;
  });
  const rest = parts.slice(MOST_TOLD).map(([, of]) => of.map(({ area }) => area));
  return rest.length > 0 ? [...told, `${rest.length} more in ${listed(rest.flat())}`] : told;
}

/** Names the section if several or all of its metrics have losses, else the metric. */
function labelOf(what: string, metricCount: number): string {
  const section = SECTION_OF.get(what);
  if (section === undefined || metricCount === 1) return what;
  const all = metricsOf(section).length;
  return metricCount === all ? section : `${section} (${metricCount} of ${all} metrics)`;
}

/** The states, each once and in order. */
const listed = (states: readonly string[]): string => [...new Set(states)].sort().join(', ');
