import { generationPath } from '../../catalog/generations.js';
import { groupBy } from '../../core/group-by.js';
import { messageOf } from '../../core/message-of.js';
import { METRICS, metricsOf } from '../../core/metrics.js';
import { type Dataset, withDatasets } from '../../format/dataset.js';
import { type CoverageLoss, findLosses, measureCoverage } from './coverage.js';

/** Losses up to this share, of anything in a state, are ignored: a few tracts' values come and go between vintages. */
export const SMALL_LOSS_SHARE = 0.02;

/** More do not fit into one line. */
const MOST_TOLD = 4;
const MOST_STATES_TOLD = 3;

/**
 * Describes what a generation has notably less of than the one it replaced, in the states that both have. Empty if there is
 * nothing, if none was replaced, or if only one of the two is synthetic. Never throws, because the new generation is live.
 */
export function describeReplaced(
  datasetsDir: string,
  { generation, replaced }: { readonly generation: string; readonly replaced: string | undefined },
): string[] {
  if (replaced === undefined) return [];
  try {
    const [before, after] = [generationPath(datasetsDir, replaced), generationPath(datasetsDir, generation)];
    const losses = withDatasets(before, after, notableLosses);
    return losses.length > 0 ? [`Coverage lost compared with ${replaced}: ${describeLosses(losses)}`] : [];
  } catch (error) {
    const why = messageOf(error);
    return [`The previous generation ${replaced} cannot be read, so the new dataset is not compared with it: ${why}`];
  }
}

function notableLosses(before: Dataset, after: Dataset): CoverageLoss[] {
  if (before.tracts.description.synthetic !== after.tracts.description.synthetic) return [];
  const states = new Set(after.tracts.description.states.map(({ fips }) => fips));
  return findLosses(measureCoverage(before), measureCoverage(after)).filter(
    ({ area, lostShare }) => states.has(area) && lostShare > SMALL_LOSS_SHARE,
  );
}

const SECTION_OF = new Map(METRICS.map(({ path, section }) => [path, section]));

/** `places_measures in 10, 11: 468 → 12 tracts; outlines in 10: 262 → 0`; counts a section's metric of the greatest loss. */
function describeLosses(losses: readonly CoverageLoss[]): string {
  const byPart = groupBy(losses, ({ area, what }) => `${area} ${SECTION_OF.get(what) ?? what}`);
  const byLabel = groupBy(
    [...byPart.values()].flatMap(([greatest, ...others]) =>
      greatest ? [{ ...greatest, label: labelOf(greatest.what, 1 + others.length) }] : [],
    ),
    ({ label }) => label,
  );
  const told = [...byLabel].map(([label, of]) => {
    const states = of.map(({ area }) => area).sort();
    const counts = `${sum(of.map(({ before }) => before))} → ${sum(of.map(({ after }) => after))}`;
    const unit = of.some(({ what }) => SECTION_OF.has(what)) ? ' tracts' : '';
    return `${label} in ${shortened(states, MOST_STATES_TOLD, ', ')}: ${counts}${unit}`;
  });
  return shortened(told, MOST_TOLD, '; ');
}

/** Names the section if several or all of its metrics have losses, else the metric. */
function labelOf(what: string, metricCount: number): string {
  const section = SECTION_OF.get(what);
  if (section === undefined || metricCount === 1) return what;
  const all = metricsOf(section).length;
  return metricCount === all ? section : `${section} (${metricCount} of ${all} metrics)`;
}

function shortened(texts: readonly string[], most: number, separator: string): string {
  const more = texts.length - most;
  return more > 0 ? `${texts.slice(0, most).join(separator)} and ${more} more` : texts.join(separator);
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
