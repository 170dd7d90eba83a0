import { metricsOf, type Section } from '../core/metrics.js';
import type { TractFacts } from './facts.js';
import { THRESHOLDS } from './thresholds.js';
import { wordingOf } from './wording.js';

/** Names for whole sections, used when all of their figures are missing. */
const SECTION_LABELS: readonly (readonly [Section, string])[] = [
  ['demographics', 'population, income, poverty, insurance, employment and age'],
  ['svi_themes', 'social vulnerability ranks'],
  ['places_measures', 'modeled health estimates'],
  ['epa_data', 'environmental indicators'],
  ['sdoh_index', 'the composite social disadvantage index'],
];

/**
 * Names the measures without a value, so that no reader takes them for zero; undefined if all are known. Whole sections come
 * first: where not all can be named, those say the most.
 */
export function missingSentence(facts: TractFacts): string | undefined {
  const missing = new Set(facts.figures.filter(({ value }) => value === null).map(({ metric }) => metric));
  const isWhole = ([section]: (typeof SECTION_LABELS)[number]) =>
    metricsOf(section).every(({ path }) => missing.has(path));
  const whole = SECTION_LABELS.filter(isWhole).map(([, label]) => label);
  const single = SECTION_LABELS.filter((section) => !isWhole(section)).flatMap(([section]) =>
    metricsOf(section)
      .filter(({ path }) => missing.has(path))
      .map(({ path }) => wordingOf(path).label),
  );
  const labels = [...whole, ...single];
  if (labels.length === 0) return undefined;
  const named = labels.slice(0, THRESHOLDS.maxMissingNamed);
  const rest = labels.length > named.length ? ['other measures'] : [];
  return `Not available for this tract, and therefore unknown rather than zero: ${[...named, ...rest].join('; ')}.`;
}
